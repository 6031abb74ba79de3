import type { CheckParameters } from '@narval/contracts'
import { type CheckOutcome, detail, failed } from '../failure.ts'
import type { SnmpRow, SnmpSession } from '../snmp/client.ts'
import { isWanted, numberOf, textOf, uniqueNames } from '../snmp/values.ts'
import type { CheckRunner } from './check.ts'
import { snmpRunner } from './snmp-run.ts'

type Parameters = CheckParameters<'snmp_interfaces'>
type Measure = Parameters['measures'][number]

const IF = '1.3.6.1.2.1.2.2.1'
const IFX = '1.3.6.1.2.1.31.1.1.1'
/** What is read of every interface. */
const COLUMNS = {
  descr: `${IF}.2`,
  type: `${IF}.3`,
  adminStatus: `${IF}.7`,
  operStatus: `${IF}.8`,
  name: `${IFX}.1`,
  alias: `${IFX}.18`,
  speed: `${IF}.5`,
  /** In Mbit/s. */
  highSpeed: `${IFX}.15`,
} as const
const OCTETS = { in64: `${IFX}.6`, out64: `${IFX}.10` } as const
const OCTETS_32 = { in32: `${IF}.10`, out32: `${IF}.16` } as const
/** What each measure reads besides: column, and the metric that it gives as it is. */
const COUNTERS: Readonly<Record<Measure, Readonly<Record<string, string>>>> = {
  traffic: {},
  usage: {},
  errors: { in_errors: `${IF}.14`, out_errors: `${IF}.20` },
  discards: { in_discards: `${IF}.13`, out_discards: `${IF}.19` },
  packets: {
    in_packets: `${IFX}.7`,
    out_packets: `${IFX}.11`,
    in_broadcasts: `${IFX}.9`,
    out_broadcasts: `${IFX}.13`,
  },
}
/** IANAifType of what is no port: loopback, propVirtual, tunnel, VLAN, IP VLAN, MPLS, bridge. */
const VIRTUAL: ReadonlySet<number> = new Set([24, 53, 131, 135, 136, 150, 166, 209])
const UP = 1
const ADMIN_DOWN = 2
const MAX_INTERFACES = 5_000

type Row = SnmpRow<string>
interface Reading {
  readonly atMs: number
  readonly inBits: number
  readonly outBits: number
}
/** What is remembered of an interface between two runs. */
interface Known {
  readonly reading: Reading | null
  /** Its 64-bit counters were seen: the 32-bit ones would then look like a restart, and the way back like a burst. */
  readonly isWide: boolean
}
type Memory = Map<string, ReadonlyMap<string, Known>>
/** Scanners remembered; the one not seen for longest goes first. */
const MEMORY_MAX = 20_000

/** Ports of a device. One runner a probe: it keeps the last octets of each port, from which utilisation is made. */
export const createSnmpInterfacesRunner = (): CheckRunner => {
  const memory: Memory = new Map()
  return snmpRunner('snmp_interfaces', async (session, parameters, check, context) => {
    const version = check.credential?.kind === 'snmp' ? check.credential.version : ''
    const place = `${check.scanner} ${check.address} ${version}`
    const before = memory.get(place) ?? new Map<string, Known>()
    const rows = await readRows(session, parameters, before)
    if (rows.length === 0)
      return failed('mismatch', 'l’équipement n’a aucune interface (IF-MIB absente ou hors de la vue SNMP)')
    const ports = wantedPorts(rows, parameters)
    const { outcome, known } = measure(ports, parameters, before, context.nowMs())
    memory.delete(place)
    memory.set(place, known)
    const oldest = memory.keys().next()
    if (memory.size > MEMORY_MAX && oldest.done !== true) memory.delete(oldest.value)
    return { ...outcome, details: () => [detail('Interfaces', rows.map(shownRow).join('\n'))] }
  })
}

const readRows = async (
  session: SnmpSession,
  { measures }: Parameters,
  before: ReadonlyMap<string, Known>,
): Promise<readonly Row[]> => {
  const isCounting = measures.includes('traffic') || measures.includes('usage')
  const counters = Object.assign({}, ...measures.map(name => COUNTERS[name]))
  const columns: Record<string, string> = { ...COLUMNS, ...(isCounting ? OCTETS : {}), ...counters }
  const bounds = { maxRows: MAX_INTERFACES }
  const rows = await session.table(columns, bounds)
  // Only old agents lack the 64-bit counters: theirs are read besides, and only then.
  const isNarrow = (row: Row): boolean => row.cells.in64 === undefined && before.get(row.index)?.isWide !== true
  if (!isCounting || !rows.some(isNarrow)) return rows
  const narrow = new Map((await session.table(OCTETS_32, bounds)).map(row => [row.index, row.cells]))
  return rows.map(row => (isNarrow(row) ? { ...row, cells: { ...row.cells, ...narrow.get(row.index) } } : row))
}

interface Port {
  readonly row: Row
  readonly instance: string
  readonly alias: string
}

const wantedPorts = (rows: readonly Row[], parameters: Parameters): readonly Port[] => {
  const { include, exclude, virtual, disabled } = parameters
  const wanted = rows.filter(({ cells }) => {
    // A row that only some tables have is an interface that comes or goes.
    if (cells.operStatus === undefined) return false
    if (!disabled && numberOf(cells.adminStatus) === ADMIN_DOWN) return false
    if (include.length === 0 && !virtual && VIRTUAL.has(numberOf(cells.type) ?? 0)) return false
    const names = [textOf(cells.name), textOf(cells.descr), textOf(cells.alias)].filter(name => name !== '')
    return isWanted(names, include, exclude)
  })
  const named = wanted.map(({ index, cells }) => ({ name: textOf(cells.name) || textOf(cells.descr), number: index }))
  return uniqueNames(named).map((instance, n): Port => {
    const row = wanted[n] ?? { index: '', cells: {} }
    return { row, instance, alias: textOf(row.cells.alias) }
  })
}

const measure = (
  ports: readonly Port[],
  { measures }: Parameters,
  before: ReadonlyMap<string, Known>,
  nowMs: number,
): { outcome: CheckOutcome; known: ReadonlyMap<string, Known> } => {
  const values: Record<string, number> = { interfaces: ports.length, interfaces_up: 0 }
  const labels: Record<string, string> = {}
  const known = new Map<string, Known>()
  const put = (key: string, instance: string, value: number | null): void => {
    if (value !== null) values[`${key}[${instance}]`] = value
  }
  for (const { row, instance, alias } of ports) {
    const { index, cells } = row
    const status = numberOf(cells.adminStatus) === ADMIN_DOWN ? 0 : numberOf(cells.operStatus)
    const speed = speedOf(row)
    put('status', instance, status)
    if (status === UP) {
      values.interfaces_up = (values.interfaces_up ?? 0) + 1
      // A port that is down has no speed, or that of its last use.
      if (speed > 0) put('speed', instance, speed)
    }
    if (alias !== '' && alias !== instance) labels[instance] = `${instance} · ${alias}`.slice(0, 120)
    const reading = readingOf(row, nowMs)
    const isWide = cells.in64 !== undefined || before.get(index)?.isWide === true
    known.set(index, { reading, isWide })
    if (reading !== null && measures.includes('traffic')) {
      put('in', instance, reading.inBits)
      put('out', instance, reading.outBits)
    }
    const last = before.get(index)?.reading ?? null
    if (reading !== null && last !== null && speed > 0 && measures.includes('usage')) {
      put('in_ratio', instance, usage(last.inBits, reading.inBits, reading.atMs - last.atMs, speed))
      put('out_ratio', instance, usage(last.outBits, reading.outBits, reading.atMs - last.atMs, speed))
    }
    for (const name of measures) for (const key of Object.keys(COUNTERS[name])) put(key, instance, numberOf(cells[key]))
  }
  return { outcome: { values, failure: null, labels }, known }
}

/** Bits a second; 0 when the interface does not say. ifSpeed stops at 4.3 Gbit/s, ifHighSpeed is in Mbit/s. */
const speedOf = ({ cells }: Row): number => {
  const [high, low] = [numberOf(cells.highSpeed) ?? 0, numberOf(cells.speed) ?? 0]
  return high > 4_294 || low <= 0 || low >= 4_294_967_295 ? high * 1_000_000 : low
}

const readingOf = ({ cells }: Row, atMs: number): Reading | null => {
  const [octetsIn, octetsOut] = [numberOf(cells.in64 ?? cells.in32), numberOf(cells.out64 ?? cells.out32)]
  return octetsIn === null || octetsOut === null ? null : { atMs, inBits: octetsIn * 8, outBits: octetsOut * 8 }
}

/** Null where a counter went back: after a restart or a wrap there is a gap, never a peak. */
const usage = (from: number, to: number, elapsedMs: number, bitsPerSecond: number): number | null =>
  to < from || elapsedMs < 1_000 ? null : Math.min(1, ((to - from) * 1_000) / elapsedMs / bitsPerSecond)

const shownRow = ({ index, cells }: Row): string =>
  `${index}\u202f: ${textOf(cells.name) || textOf(cells.descr)}, type ${numberOf(cells.type) ?? '?'}, admin ${numberOf(cells.adminStatus) ?? '?'}, état ${numberOf(cells.operStatus) ?? '?'} ${textOf(cells.alias)}`.trim()
