import { detail, failed } from '../failure.ts'
import type { SnmpSession } from '../snmp/client.ts'
import { isWanted, numberOf, textOf, uniqueNames } from '../snmp/values.ts'
import { snmpRunner } from './snmp-run.ts'

const ENTITY = '1.3.6.1.2.1.47.1.1.1.1'
const SENSOR = '1.3.6.1.2.1.99.1.1.1'
const SENSORS = {
  type: `${SENSOR}.1`,
  scale: `${SENSOR}.2`,
  precision: `${SENSOR}.3`,
  value: `${SENSOR}.4`,
  status: `${SENSOR}.5`,
} as const
const NAMES = { descr: `${ENTITY}.2`, name: `${ENTITY}.7` } as const
const LM = '1.3.6.1.4.1.2021.13.16'
/** Tables of LM-SENSORS-MIB: metric, number of the table, what a unit of it is worth. */
const LM_TABLES = [
  ['temperature', 2, 0.001],
  ['fan', 3, 1],
  ['voltage', 4, 0.001],
] as const

/** Metric of each type of EntitySensorDataType, and what a unit of it is worth there. */
const TYPES: Readonly<Record<number, readonly [key: string, worth: number]>> = {
  3: ['voltage', 1],
  4: ['voltage', 1],
  5: ['current', 1],
  6: ['power', 1],
  7: ['frequency', 1],
  8: ['temperature', 1],
  9: ['humidity', 0.01],
  10: ['fan', 1],
  14: ['optical_power', 1],
}
const OK = 1
const BOUNDS = { maxRows: 5_000 } as const

interface Sensor {
  readonly key: string
  readonly name: string
  readonly number: string
  /** Null when the sensor can not be read now. */
  readonly value: number | null
  /** Null where the MIB has none. */
  readonly status: number | null
}

/** Sensors of ENTITY-SENSOR-MIB (RFC 3433), and those that net-snmp reads of a Linux machine. */
export const snmpSensors = snmpRunner('snmp_sensors', async (session, { include, exclude }) => {
  const all = [...(await entitySensors(session)), ...(await linuxSensors(session))]
  if (all.length === 0)
    return failed('mismatch', 'l’équipement ne montre aucun capteur (ni ENTITY-SENSOR-MIB, ni LM-SENSORS-MIB)')
  const wanted = all.filter(({ name }) => isWanted([name], include, exclude))
  const names = uniqueNames(wanted)
  const values: Record<string, number> = {}
  for (const [n, { key, value, status }] of wanted.entries()) {
    if (value !== null) values[`${key}[${names[n]}]`] = value
    if (status !== null) values[`sensor_status[${names[n]}]`] = status
  }
  const shown = (one: Sensor): string => `${one.name} (${one.key})\u202f: ${one.value ?? 'illisible'}`
  return { values, failure: null, details: () => [detail('Capteurs', all.map(shown).join('\n'))] }
})

const entitySensors = async (session: SnmpSession): Promise<readonly Sensor[]> => {
  const rows = await session.table(SENSORS, BOUNDS)
  if (rows.length === 0) return []
  const entities = new Map((await session.table(NAMES, BOUNDS)).map(({ index, cells }) => [index, cells]))
  return rows.map(({ index, cells }): Sensor => {
    const entity = entities.get(index)
    const [key, worth] = TYPES[numberOf(cells.type) ?? 0] ?? ['other', 1]
    const status = numberOf(cells.status)
    const raw = numberOf(cells.value)
    const value =
      raw === null || (status ?? OK) !== OK ? null : scaled(raw, numberOf(cells.scale), numberOf(cells.precision))
    const name = textOf(entity?.name) || textOf(entity?.descr)
    return { key, name, number: index, value: value === null ? null : round(value * worth), status }
  })
}

/** Values at the ends of the range say « below » and « above » what the sensor can tell (RFC 3433). */
const LIMIT = 1_000_000_000
/** Scale 9 is units, 8 thousandths, 10 thousands…; the precision is how many of the digits are decimals. */
const scaled = (raw: number, scale: number | null, precision: number | null): number | null => {
  if (Math.abs(raw) >= LIMIT) return null
  const decimals = Math.min(9, Math.max(0, precision ?? 0))
  return raw * 10 ** (((scale ?? 9) - 9) * 3 - decimals)
}

const linuxSensors = async (session: SnmpSession): Promise<readonly Sensor[]> => {
  const found: Sensor[] = []
  for (const [key, table, worth] of LM_TABLES) {
    const rows = await session.table({ device: `${LM}.${table}.1.2`, value: `${LM}.${table}.1.3` }, BOUNDS)
    for (const { index, cells } of rows) {
      const value = numberOf(cells.value)
      const name = textOf(cells.device)
      found.push({ key, name, number: index, value: value === null ? null : round(value * worth), status: null })
    }
  }
  return found
}

/** Powers of ten are no exact binary fractions: noise beyond the 9th decimal is left. */
const round = (value: number): number => Math.round(value * 1e9) / 1e9
