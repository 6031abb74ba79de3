import {
  cleanLine,
  type DiscoveredAddress,
  formatAddress,
  MACS_MAX,
  NEIGHBOURS_MAX,
  parseAddress,
} from '@narval/contracts'
import {
  openSnmp,
  type SnmpCredential,
  SnmpError,
  type SnmpLimits,
  type SnmpSession,
  type Varbind,
} from '../snmp/client.ts'

type Snmp = NonNullable<DiscoveredAddress['snmp']>
type Neighbour = DiscoveredAddress['neighbours'][number]
export interface SnmpFacts {
  readonly system: Snmp
  readonly neighbours: Neighbour[]
}

const SYSTEM = {
  descr: '1.3.6.1.2.1.1.1.0',
  objectId: '1.3.6.1.2.1.1.2.0',
  name: '1.3.6.1.2.1.1.5.0',
  location: '1.3.6.1.2.1.1.6.0',
  services: '1.3.6.1.2.1.1.7.0',
} as const
const EXTRAS = {
  forwarding: '1.3.6.1.2.1.4.1.0',
  bridgePorts: '1.3.6.1.2.1.17.1.2.0',
  bridgeMac: '1.3.6.1.2.1.17.1.1.0',
  ups: '1.3.6.1.2.1.33.1.1.1.0',
  printer: '1.3.6.1.2.1.43.5.1.1.1.1',
  chassisType: '1.0.8802.1.1.2.1.3.1.0',
  chassis: '1.0.8802.1.1.2.1.3.2.0',
} as const
const IF_MAC = '1.3.6.1.2.1.2.2.1.6'
const LLDP = '1.0.8802.1.1.2.1'
const LOCAL_PORTS = { id: `${LLDP}.3.7.1.3`, descr: `${LLDP}.3.7.1.4` } as const
const REMOTE = {
  chassisType: `${LLDP}.4.1.1.4`,
  chassis: `${LLDP}.4.1.1.5`,
  portType: `${LLDP}.4.1.1.6`,
  port: `${LLDP}.4.1.1.7`,
  name: `${LLDP}.4.1.1.9`,
} as const
/** A column that agents show of the table of management addresses, whose index says the address. */
const REMOTE_ADDRESS = { kind: `${LLDP}.4.2.1.3` } as const
/** `chassisId` that is a MAC address, or a network address; `portId` that is a MAC address. */
const [CHASSIS_MAC, CHASSIS_NETWORK, PORT_MAC] = [4, 5, 3]
const BOUNDS = { maxRows: 2_000, maxBytes: 512 * 1024 }

/** Whether an agent is there: short, since nobody answers on most addresses. */
const HELLO_MS = 1_500
/** For all that is asked of one that answers. */
const REST_MS = 8_000

/** What an agent says of itself and, by LLDP, of its neighbours; null when none answers to this credential. */
export const readSnmpFacts = async (
  address: string,
  credential: SnmpCredential,
  lldp: boolean,
  limits: Pick<SnmpLimits, 'nowMs' | 'onStop'>,
): Promise<SnmpFacts | null> => {
  const system = await within(address, credential, { ...limits, timeoutMs: HELLO_MS, maxBytes: 65_536 }, readSystem)
  if (system === null) return null
  const rest = await within(address, credential, { ...limits, timeoutMs: REST_MS, maxBytes: 1_048_576 }, session =>
    readRest(session, lldp),
  )
  if (rest === null) return { system, neighbours: [] }
  return { system: { ...system, ...rest.more }, neighbours: rest.neighbours }
}

/** A conversation that gives null for whatever an agent does wrong. */
const within = async <T>(
  address: string,
  credential: SnmpCredential,
  limits: SnmpLimits,
  read: (session: SnmpSession) => Promise<T>,
): Promise<T | null> => {
  const session = openSnmp({ address }, credential, limits)
  try {
    return await read(session)
  } catch (error) {
    if (error instanceof SnmpError) return null
    throw error
  } finally {
    session.close()
  }
}

const readSystem = async (session: SnmpSession): Promise<Snmp> => {
  const [descr, objectId, name, location, services] = await session.get(Object.values(SYSTEM))
  const layers = numberOf(services)
  return {
    sysDescr: lineOf(descr, 500),
    sysObjectId: objectId?.type === 'oid' && typeof objectId.value === 'string' ? objectId.value.slice(0, 255) : '',
    sysName: lineOf(name, 120),
    sysLocation: lineOf(location, 120),
    sysServices: layers !== null && layers >= 0 && layers <= 127 ? layers : null,
    ...{ forwards: null, bridgePorts: null, macs: [], mibs: [] },
  }
}

type More = Pick<Snmp, 'forwards' | 'bridgePorts' | 'macs' | 'mibs'>

const readRest = async (session: SnmpSession, lldp: boolean): Promise<{ more: More; neighbours: Neighbour[] }> => {
  const [forwarding, ports, bridge, ups, printer, chassisType, chassis] = await session.get(Object.values(EXTRAS))
  const macs = new Set<string>()
  const add = (varbind: Varbind | undefined): void => {
    const mac = macOf(varbind)
    if (mac !== null && macs.size < MACS_MAX) macs.add(mac)
  }
  if (numberOf(chassisType) === CHASSIS_MAC) add(chassis)
  add(bridge)
  for (const varbind of await orNothing(session.walk(IF_MAC, BOUNDS))) add(varbind)
  const forwards = numberOf(forwarding)
  const bridgePorts = numberOf(ports)
  const isThere = (varbind: Varbind | undefined): boolean =>
    varbind !== undefined && varbind.type !== 'absent' && varbind.type !== 'end' && varbind.type !== 'null'
  const more: More = {
    forwards: forwards === null ? null : forwards === 1,
    bridgePorts: bridgePorts !== null && bridgePorts >= 0 && bridgePorts <= 1_000_000 ? bridgePorts : null,
    macs: [...macs],
    mibs: [...(isThere(ups) ? ['ups' as const] : []), ...(isThere(printer) ? ['printer' as const] : [])],
  }
  return { more, neighbours: lldp ? await readNeighbours(session) : [] }
}

/** A table that can not be read to its end does not cost what was read before. */
const orNothing = async <T>(reading: Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SnmpError) return []
    throw error
  }
}

const readNeighbours = async (session: SnmpSession): Promise<Neighbour[]> => {
  const rows = await orNothing(session.table(REMOTE, BOUNDS))
  if (rows.length === 0) return []
  const localPorts = new Map(
    (await orNothing(session.table(LOCAL_PORTS, BOUNDS))).map(({ index, cells }) => [
      index,
      lineOf(cells.descr, 64) || lineOf(cells.id, 64),
    ]),
  )
  const addresses = Map.groupBy(
    (await orNothing(session.table(REMOTE_ADDRESS, BOUNDS))).flatMap(({ index }) => managementAddress(index) ?? []),
    ({ row }) => row,
  )
  return rows.slice(0, NEIGHBOURS_MAX).map(({ index, cells }) => ({
    localPort: localPorts.get(index.split('.')[1] ?? '') ?? '',
    chassis: chassisOf(cells.chassis, numberOf(cells.chassisType)),
    port: (numberOf(cells.portType) === PORT_MAC ? macOf(cells.port) : null) ?? lineOf(cells.port, 64),
    name: lineOf(cells.name, 120),
    addresses: (addresses.get(index) ?? []).slice(0, 4).map(({ address }) => address),
  }))
}

const chassisOf = (varbind: Varbind | undefined, kind: number | null): string => {
  if (kind === CHASSIS_MAC) return macOf(varbind) ?? ''
  if (kind === CHASSIS_NETWORK && Buffer.isBuffer(varbind?.value))
    return addressOf([...varbind.value.subarray(1)]) ?? ''
  return lineOf(varbind, 64)
}

/** `timeMark.localPort.index.kind.length.bytes…`: the row of the neighbour, and the address. */
export const managementAddress = (index: string): { row: string; address: string } | null => {
  const [mark, port, number, kind, length, ...bytes] = index.split('.').map(Number)
  if (length !== bytes.length || bytes.some(byte => !(byte >= 0 && byte <= 255))) return null
  const address = (kind === 1 && length === 4) || (kind === 2 && length === 16) ? addressOf(bytes) : null
  return address === null ? null : { row: `${mark}.${port}.${number}`, address }
}

const addressOf = (bytes: readonly number[]): string | null => {
  if (bytes.length !== 4 && bytes.length !== 16) return null
  const address = formatAddress(
    bytes.length === 4 ? 4 : 6,
    bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n),
  )
  return parseAddress(address) === null ? null : address
}

const numberOf = (varbind: Varbind | undefined): number | null =>
  typeof varbind?.value === 'number' && Number.isSafeInteger(varbind.value) ? varbind.value : null

/** Null for what is no MAC address of an interface: another length, all zeros, or one for groups. */
const macOf = (varbind: Varbind | undefined): string | null => {
  const bytes = varbind?.value
  if (!Buffer.isBuffer(bytes) || bytes.length !== 6 || bytes.every(byte => byte === 0) || ((bytes[0] ?? 0) & 1) === 1)
    return null
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join(':')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const lineOf = (varbind: Varbind | undefined, maxLength: number): string => {
  const bytes = varbind?.value
  if (!Buffer.isBuffer(bytes)) return ''
  const some = bytes.subarray(0, 4 * maxLength)
  try {
    return cleanLine(utf8.decode(some), maxLength)
  } catch {
    // Old devices write in the set of their country.
    return cleanLine(some.toString('latin1'), maxLength)
  }
}
