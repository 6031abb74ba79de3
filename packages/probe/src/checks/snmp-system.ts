import { type CheckOutcome, detail, failed } from '../failure.ts'
import type { SnmpSession, Varbind } from '../snmp/client.ts'
import { numberOf, textOf } from '../snmp/values.ts'
import { snmpRunner } from './snmp-run.ts'

const SYSTEM = '1.3.6.1.2.1.1'
const HOST = '1.3.6.1.2.1.25'
const UCD = '1.3.6.1.4.1.2021'
const CISCO = '1.3.6.1.4.1.9.9'

const SCALARS = {
  descr: `${SYSTEM}.1.0`,
  objectId: `${SYSTEM}.2.0`,
  upTime: `${SYSTEM}.3.0`,
  contact: `${SYSTEM}.4.0`,
  name: `${SYSTEM}.5.0`,
  location: `${SYSTEM}.6.0`,
  engineTime: '1.3.6.1.6.3.10.2.1.3.0',
  hostUpTime: `${HOST}.1.1.0`,
  users: `${HOST}.1.5.0`,
  processes: `${HOST}.1.6.0`,
  swapTotal: `${UCD}.4.3.0`,
  swapFree: `${UCD}.4.4.0`,
  memoryTotal: `${UCD}.4.5.0`,
  memoryFree: `${UCD}.4.6.0`,
  memoryBuffers: `${UCD}.4.14.0`,
  memoryCached: `${UCD}.4.15.0`,
  memoryAvailable: `${UCD}.4.27.0`,
  load1: `${UCD}.10.1.5.1`,
  load5: `${UCD}.10.1.5.2`,
  load15: `${UCD}.10.1.5.3`,
  cpuIdle: `${UCD}.11.11.0`,
} as const
type Scalars = Readonly<Partial<Record<keyof typeof SCALARS, Varbind>>>

const RAM = '1.3.6.1.2.1.25.2.1.2'

/** Processor, memory, load and time since the start, from what the equipment knows: HOST-RESOURCES, UCD or Cisco's MIBs. */
export const snmpSystem = snmpRunner('snmp_system', async session => {
  const names = Object.keys(SCALARS)
  const found = await session.get(Object.values(SCALARS))
  const scalars: Scalars = Object.fromEntries(names.map((name, n) => [name, found[n]]))
  const uptime = uptimeOf(scalars)
  if (uptime === null)
    return failed('mismatch', 'l’équipement ne dit pas depuis quand il est en marche (sysUpTime absent)')
  const values: CheckOutcome['values'] = {
    uptime,
    ...(await processorOf(session, scalars)),
    ...(await memoryOf(session, scalars)),
    ...swapOf(scalars),
    ...given('load_1m', numberOf(scalars.load1), 0.01),
    ...given('load_5m', numberOf(scalars.load5), 0.01),
    ...given('load_15m', numberOf(scalars.load15), 0.01),
    ...given('processes', numberOf(scalars.processes)),
    ...given('users', numberOf(scalars.users)),
  }
  return { values, failure: null, details: () => [detail('Système', systemText(scalars))] }
})

const given = (key: string, value: number | null, factor = 1): Record<string, number> =>
  value === null ? {} : { [key]: value * factor }

const TICKS = 100
/** The machine's own time rather than its agent's; the agent's clock of SNMPv3 does not wrap after 497 days as sysUpTime. */
const uptimeOf = ({ hostUpTime, upTime, engineTime }: Scalars): number | null => {
  const [host, agent, engine] = [numberOf(hostUpTime), numberOf(upTime), numberOf(engineTime)]
  if (agent === null && host === null) return null
  const agentS = Math.max((agent ?? 0) / TICKS, engine ?? 0)
  return host === null || host / TICKS < agentS - 60 ? agentS : host / TICKS
}

const processorOf = async (session: SnmpSession, scalars: Scalars): Promise<Record<string, number>> => {
  const rows = await session.table({ load: `${HOST}.3.3.1.2` }, { maxRows: 1_024 })
  const loads = rows.flatMap(({ cells }) => numberOf(cells.load) ?? [])
  if (loads.length === 0) {
    const idle = numberOf(scalars.cpuIdle)
    if (idle !== null) return { cpu_used_ratio: ratio(100 - idle, 100) }
    const cisco = await session.table({ load: `${CISCO}.109.1.1.1.1.7` }, { maxRows: 1_024 })
    loads.push(...cisco.flatMap(({ cells }) => numberOf(cells.load) ?? []))
  }
  if (loads.length === 0) return {}
  const average = loads.reduce((sum, load) => sum + load, 0) / loads.length
  const most = loads.reduce((max, load) => Math.max(max, load), 0)
  return { cpu_used_ratio: ratio(average, 100), ...(loads.length > 1 ? { cpu_max_ratio: ratio(most, 100) } : {}) }
}

const memoryOf = async (session: SnmpSession, scalars: Scalars): Promise<Record<string, number>> => {
  const total = numberOf(scalars.memoryTotal)
  const free = numberOf(scalars.memoryFree)
  if (total !== null && free !== null && total > 0) {
    const cached = (numberOf(scalars.memoryBuffers) ?? 0) + (numberOf(scalars.memoryCached) ?? 0)
    const available = numberOf(scalars.memoryAvailable) ?? Math.min(total, free + cached)
    return memory(available * 1_024, total * 1_024)
  }
  const storage = await session.table(
    { type: `${HOST}.2.3.1.2`, units: `${HOST}.2.3.1.4`, size: `${HOST}.2.3.1.5`, used: `${HOST}.2.3.1.6` },
    { maxRows: 2_000 },
  )
  const ram = storage.find(({ cells }) => cells.type?.value === RAM)?.cells
  const [units, size, used] = [numberOf(ram?.units), numberOf(ram?.size), numberOf(ram?.used)]
  if (units !== null && size !== null && used !== null && size > 0) return memory((size - used) * units, size * units)
  return ciscoMemory(session)
}

const ciscoMemory = async (session: SnmpSession): Promise<Record<string, number>> => {
  const pools = await session.table({ used: `${CISCO}.48.1.1.1.5`, free: `${CISCO}.48.1.1.1.6` }, { maxRows: 1_024 })
  // The first pool is the processor's; the others are packet buffers and drivers.
  const [used, free] = [numberOf(pools[0]?.cells.used), numberOf(pools[0]?.cells.free)]
  return used === null || free === null || used + free <= 0 ? {} : memory(free, used + free)
}

const memory = (freeBytes: number, totalBytes: number): Record<string, number> => ({
  memory_used_ratio: ratio(totalBytes - freeBytes, totalBytes),
  memory_free: Math.max(0, freeBytes),
})

const swapOf = ({ swapTotal, swapFree }: Scalars): Record<string, number> => {
  const [total, free] = [numberOf(swapTotal), numberOf(swapFree)]
  return total === null || free === null || total <= 0 ? {} : { swap_used_ratio: ratio(total - free, total) }
}

/** A part of a whole, within 0 and 1 whatever equipment says. */
const ratio = (part: number, whole: number): number => Math.min(1, Math.max(0, part / whole))

const systemText = ({ name, descr, location, contact, objectId }: Scalars): string =>
  [
    `Nom\u202f: ${textOf(name)}`,
    `Description\u202f: ${textOf(descr)}`,
    `Emplacement\u202f: ${textOf(location)}`,
    `Contact\u202f: ${textOf(contact)}`,
    `Type (sysObjectID)\u202f: ${textOf(objectId)}`,
  ].join('\n')
