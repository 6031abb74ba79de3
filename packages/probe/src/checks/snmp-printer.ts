import { PRINTER_FAULTS } from '@narval/contracts'
import { detail, failed } from '../failure.ts'
import type { SnmpRow, SnmpSession } from '../snmp/client.ts'
import { hasBit, numberOf, textOf, uniqueNames } from '../snmp/values.ts'
import { snmpRunner } from './snmp-run.ts'

const PRT = '1.3.6.1.2.1.43'
const DEVICE = '1.3.6.1.2.1.25.3'
const SUPPLIES = {
  class: `${PRT}.11.1.1.4`,
  description: `${PRT}.11.1.1.6`,
  unit: `${PRT}.11.1.1.7`,
  max: `${PRT}.11.1.1.8`,
  level: `${PRT}.11.1.1.9`,
} as const
const TRAYS = {
  max: `${PRT}.8.2.1.9`,
  level: `${PRT}.8.2.1.10`,
  name: `${PRT}.8.2.1.13`,
  description: `${PRT}.8.2.1.18`,
} as const
const ALERTS = { severity: `${PRT}.18.1.1.2`, description: `${PRT}.18.1.1.8` } as const
const PAGES = { life: `${PRT}.10.2.1.4` } as const
const STATUS = { device: `${DEVICE}.2.1.5`, activity: `${DEVICE}.5.1.1`, errors: `${DEVICE}.5.1.2` } as const
const BOUNDS = { maxRows: 1_000 } as const

/** Waste boxes are filled, the others are used up. */
const FILLED = 4
const PERCENT = 19
const CRITICAL = 3
const WARNING = 4

/** A printer by RFC 3805, with its state from HOST-RESOURCES-MIB. */
export const snmpPrinter = snmpRunner('snmp_printer', async session => {
  const supplies = await session.table(SUPPLIES, BOUNDS)
  const trays = await session.table(TRAYS, BOUNDS)
  const pages = await session.table(PAGES, BOUNDS)
  if (supplies.length === 0 && trays.length === 0 && pages.length === 0)
    return failed('mismatch', 'l’équipement n’est pas une imprimante qui connaît la Printer-MIB (RFC 3805)')
  const alerts = await session.table(ALERTS, BOUNDS)
  const counts = pages.flatMap(({ cells }) => numberOf(cells.life) ?? [])
  const alertsOf = (severity: number): number =>
    alerts.filter(({ cells }) => numberOf(cells.severity) === severity).length
  const values: Record<string, number> = {
    ...(await statusOf(session)),
    ...(counts.length === 0 ? {} : { pages: counts.reduce((sum, count) => sum + count, 0) }),
    alerts_critical: alertsOf(CRITICAL),
    alerts_warning: alertsOf(WARNING),
    ...supplyLevels(supplies),
    ...trayLevels(trays),
  }
  return {
    values,
    failure: null,
    details: () => [
      detail('Consommables', supplies.map(shownLevel).join('\n')),
      detail('Bacs', trays.map(shownLevel).join('\n')),
      detail('Alertes', alerts.map(({ cells }) => textOf(cells.description)).join('\n') || 'aucune'),
    ],
  }
})

const statusOf = async (session: SnmpSession): Promise<Record<string, number>> => {
  const rows = await session.table(STATUS, BOUNDS)
  // Other devices of the machine (processors, disks) have a state too: the printer's row is the one with an activity.
  const row = rows.find(({ cells }) => cells.activity !== undefined)
  if (row === undefined) return {}
  const values: Record<string, number> = {}
  const [device, activity] = [numberOf(row.cells.device), numberOf(row.cells.activity)]
  if (device !== null) values.device_status = device
  if (activity !== null) values.activity = activity
  if (row.cells.errors !== undefined)
    for (const { bit, key } of PRINTER_FAULTS) values[key] = hasBit(row.cells.errors, bit) ? 1 : 0
  return values
}

const supplyLevels = (rows: readonly SnmpRow<keyof typeof SUPPLIES>[]): Record<string, number> => {
  const names = uniqueNames(rows.map(({ index, cells }) => ({ name: textOf(cells.description), number: index })))
  const values: Record<string, number> = {}
  for (const [n, { cells }] of rows.entries()) {
    const max = numberOf(cells.max) ?? 0
    const ratio = ratioOf(numberOf(cells.level), max <= 0 && numberOf(cells.unit) === PERCENT ? 100 : max)
    const key = numberOf(cells.class) === FILLED ? 'waste_ratio' : 'supply_ratio'
    if (ratio !== null) values[`${key}[${names[n]}]`] = ratio
  }
  return values
}

const trayLevels = (rows: readonly SnmpRow<keyof typeof TRAYS>[]): Record<string, number> => {
  const named = rows.map(({ index, cells }) => ({
    name: textOf(cells.name) || textOf(cells.description),
    number: index,
  }))
  const names = uniqueNames(named)
  const values: Record<string, number> = {}
  for (const [n, { cells }] of rows.entries()) {
    const ratio = ratioOf(numberOf(cells.level), numberOf(cells.max) ?? 0)
    if (ratio !== null) values[`tray_ratio[${names[n]}]`] = ratio
  }
  return values
}

/** Null where the printer only says « some » (−3), « unknown » (−2) or « no limit » (−1). */
const ratioOf = (level: number | null, max: number): number | null =>
  level === null || level < 0 || max <= 0 ? null : Math.min(1, level / max)

const shownLevel = ({
  cells,
}: SnmpRow<'description' | 'name' | 'level' | 'max'> | SnmpRow<'description' | 'level' | 'max'>): string =>
  `${textOf(cells.description)}\u202f: ${numberOf(cells.level) ?? '?'} / ${numberOf(cells.max) ?? '?'}`
