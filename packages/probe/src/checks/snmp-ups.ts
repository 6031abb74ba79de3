import { detail, failed } from '../failure.ts'
import type { SnmpSession, Varbind } from '../snmp/client.ts'
import { numberOf, shownValue, textOf } from '../snmp/values.ts'
import { snmpRunner } from './snmp-run.ts'

const UPS = '1.3.6.1.2.1.33.1'
const IDENTITY = [`${UPS}.1.1.0`, `${UPS}.1.2.0`, `${UPS}.1.3.0`, `${UPS}.1.5.0`] as const
/** Key of the metric, OID, what a unit of it is worth. */
const SCALARS = [
  ['battery_status', `${UPS}.2.1.0`, 1],
  ['on_battery_time', `${UPS}.2.2.0`, 1],
  ['battery_runtime', `${UPS}.2.3.0`, 60],
  ['battery_charge', `${UPS}.2.4.0`, 0.01],
  ['battery_voltage', `${UPS}.2.5.0`, 0.1],
  ['battery_temperature', `${UPS}.2.7.0`, 1],
  ['output_source', `${UPS}.4.1.0`, 1],
  ['alarms', `${UPS}.6.1.0`, 1],
] as const
const INPUT = [
  ['input_frequency', `${UPS}.3.3.1.2`, 0.1],
  ['input_voltage', `${UPS}.3.3.1.3`, 1],
] as const
const OUTPUT = [
  ['output_voltage', `${UPS}.4.4.1.2`, 1],
  ['output_current', `${UPS}.4.4.1.3`, 0.1],
  ['output_power', `${UPS}.4.4.1.4`, 1],
  ['output_load_ratio', `${UPS}.4.4.1.5`, 0.01],
] as const
type Columns = readonly (readonly [string, string, number])[]
const ALARMS = `${UPS}.6.2.1.2`
/** Well-known alarms (RFC 1628, upsWellKnownAlarms). */
const ALARM_NAMES: Readonly<Record<string, string>> = {
  [`${UPS}.6.3.1`]: 'batterie à remplacer',
  [`${UPS}.6.3.2`]: 'sur batterie',
  [`${UPS}.6.3.3`]: 'batterie faible',
  [`${UPS}.6.3.4`]: 'batterie épuisée',
  [`${UPS}.6.3.5`]: 'température hors limites',
  [`${UPS}.6.3.6`]: 'entrée hors limites',
  [`${UPS}.6.3.7`]: 'sortie hors limites',
  [`${UPS}.6.3.8`]: 'surcharge en sortie',
  [`${UPS}.6.3.9`]: 'sur dérivation (bypass)',
  [`${UPS}.6.3.10`]: 'dérivation hors limites',
  [`${UPS}.6.3.11`]: 'sortie coupée à la demande',
  [`${UPS}.6.3.12`]: 'onduleur arrêté à la demande',
  [`${UPS}.6.3.13`]: 'chargeur en panne',
  [`${UPS}.6.3.14`]: 'sortie coupée',
  [`${UPS}.6.3.15`]: 'système arrêté',
  [`${UPS}.6.3.16`]: 'ventilateur en panne',
  [`${UPS}.6.3.17`]: 'fusible fondu',
  [`${UPS}.6.3.18`]: 'panne générale',
  [`${UPS}.6.3.19`]: 'test de diagnostic en échec',
  [`${UPS}.6.3.20`]: 'communication perdue',
  [`${UPS}.6.3.21`]: 'attente du retour du secteur',
  [`${UPS}.6.3.22`]: 'arrêt en cours',
  [`${UPS}.6.3.23`]: 'arrêt imminent',
  [`${UPS}.6.3.24`]: 'test en cours',
}
const BATTERY_SOURCE = 5
/** Numbers of lines that an installation has at most, with room. */
const MAX_LINES = 100

/** A UPS by RFC 1628. */
export const snmpUps = snmpRunner('snmp_ups', async session => {
  const found = await session.get([...SCALARS.map(([, oid]) => oid), ...IDENTITY])
  const values: Record<string, number> = {}
  for (const [n, [key, , worth]] of SCALARS.entries()) {
    const number = numberOf(found[n])
    if (number !== null) values[key] = round(number * worth)
  }
  const { output_source: source, on_battery_time: since } = values
  if (source === undefined && since === undefined && values.battery_status === undefined)
    return failed('mismatch', 'l’équipement n’est pas un onduleur qui connaît l’UPS-MIB (RFC 1628)')
  values.on_battery = source === BATTERY_SOURCE || (since ?? 0) > 0 ? 1 : 0
  Object.assign(values, await linesOf(session, INPUT), await linesOf(session, OUTPUT))
  const alarms = await session.table({ descr: ALARMS }, { maxRows: 1_000 })
  return {
    values,
    failure: null,
    details: () => [
      detail('Onduleur', found.slice(SCALARS.length).map(textOf).join('\n')),
      detail(
        'Valeurs lues',
        found
          .slice(0, SCALARS.length)
          .map(one => `${one.oid}\u202f: ${shownValue(one)}`)
          .join('\n'),
      ),
      detail('Alarmes', alarms.map(({ cells }) => alarmText(cells.descr)).join('\n') || 'aucune'),
    ],
  }
})

/** What else an agent may put there is no line. */
const LINE = /^\d{1,3}$/

/** One value a line: `[L1]`, `[L2]`, `[L3]`. */
const linesOf = async (session: SnmpSession, columns: Columns): Promise<Record<string, number>> => {
  const values: Record<string, number> = {}
  const rows = await session.table(Object.fromEntries(columns.map(([key, oid]) => [key, oid])), { maxRows: MAX_LINES })
  for (const { index, cells } of rows) {
    if (!LINE.test(index)) continue
    for (const [key, , worth] of columns) {
      const number = numberOf(cells[key])
      if (number !== null) values[`${key}[L${index}]`] = round(number * worth)
    }
  }
  return values
}

const alarmText = (cell: Varbind | undefined): string => ALARM_NAMES[textOf(cell)] ?? textOf(cell)

/** Tenths are no exact binary fractions: noise beyond the 6th decimal is left. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6
