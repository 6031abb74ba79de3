import { detail, failed } from '../failure.ts'
import type { SnmpRow } from '../snmp/client.ts'
import { isWanted, numberOf, textOf, uniqueNames } from '../snmp/values.ts'
import { snmpRunner } from './snmp-run.ts'

const STORAGE = '1.3.6.1.2.1.25.2.3.1'
const COLUMNS = {
  type: `${STORAGE}.2`,
  descr: `${STORAGE}.3`,
  units: `${STORAGE}.4`,
  size: `${STORAGE}.5`,
  used: `${STORAGE}.6`,
} as const
type Row = SnmpRow<keyof typeof COLUMNS>

const TYPES: Readonly<Record<string, string>> = {
  '1.3.6.1.2.1.25.2.1.2': 'memory',
  '1.3.6.1.2.1.25.2.1.3': 'swap',
  '1.3.6.1.2.1.25.2.1.4': 'disk',
  '1.3.6.1.2.1.25.2.1.5': 'removable',
  '1.3.6.1.2.1.25.2.1.7': 'removable',
  '1.3.6.1.2.1.25.2.1.10': 'network',
}

/** Volumes of HOST-RESOURCES-MIB. */
export const snmpStorage = snmpRunner('snmp_storage', async (session, { types, include, exclude }) => {
  const rows = await session.table(COLUMNS, { maxRows: 2_000 })
  if (rows.length === 0)
    return failed(
      'mismatch',
      'l’équipement ne dit rien de ses volumes (HOST-RESOURCES-MIB absente ou hors de la vue SNMP)',
    )
  const isOf: ReadonlySet<string> = new Set(types)
  const wanted = rows.filter(({ cells }) => {
    const { name } = nameOf(textOf(cells.descr))
    return isOf.has(TYPES[String(cells.type?.value)] ?? '') && isWanted([name], include, exclude)
  })
  const instances = uniqueNames(wanted.map(row => ({ name: nameOf(textOf(row.cells.descr)).name, number: row.index })))
  const values: Record<string, number> = {}
  const labels: Record<string, string> = {}
  for (const [n, row] of wanted.entries()) {
    const instance = instances[n] ?? ''
    const space = spaceOf(row)
    if (space === null) continue
    values[`used_ratio[${instance}]`] = Math.min(1, space.used / space.size)
    values[`free[${instance}]`] = Math.max(0, space.size - space.used)
    values[`size[${instance}]`] = space.size
    const { label } = nameOf(textOf(row.cells.descr))
    if (label !== '') labels[instance] = `${instance} · ${label}`.slice(0, 120)
  }
  return { values, labels, failure: null, details: () => [detail('Volumes', rows.map(shownRow).join('\n'))] }
})

/** Windows says `C:\ Label:Système  Serial Number 1a2b`: the letter names it, the label goes beside. */
const nameOf = (descr: string): { name: string; label: string } => {
  const [, name, label] = /^(.*?) Label:(.*?)(?: Serial Number .*)?$/u.exec(descr) ?? []
  return { name: name ?? descr, label: (label ?? '').trim() }
}

/** Bytes; null for what has no size (an empty drive). Counts beyond 2³¹ units come as negative numbers. */
const spaceOf = ({ cells }: Row): { size: number; used: number } | null => {
  const [units, size, used] = [numberOf(cells.units), numberOf(cells.size), numberOf(cells.used)]
  if (units === null || size === null || used === null || units <= 0 || size === 0) return null
  return { size: positive(size) * units, used: positive(used) * units }
}
const positive = (count: number): number => (count < 0 ? count + 2 ** 32 : count)

const shownRow = (row: Row): string => {
  const { type, descr, units, size, used } = row.cells
  const kind = TYPES[String(type?.value)] ?? textOf(type)
  return `${textOf(descr)} (${kind})\u202f: ${numberOf(used) ?? '?'} / ${numberOf(size) ?? '?'} × ${numberOf(units) ?? '?'} octets`
}
