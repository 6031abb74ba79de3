import type { Config } from '../config.ts'
import type { Finding } from '../finding.ts'
import { holderOf } from '../lock.ts'
import { openTcpPort, openUdpPort, type Port } from './ports.ts'
import { type ReceivedKind, words } from './reception-words.ts'

/** Tries the ports of traps and syslog; those of a probe that runs are its own, and left alone. */
export const examineReception = async (config: Config): Promise<readonly Finding[]> => {
  if (holderOf(config.dataFolder) !== null) return []
  const found: Finding[] = []
  if (config.trapPort !== null) found.push(await tried('trap', config.trapPort, [udp(config.trapPort)]))
  if (config.syslogPort !== null)
    found.push(await tried('syslog', config.syslogPort, [udp(config.syslogPort), tcp(config.syslogPort)]))
  return found
}

const nobody = { onBytes: () => undefined }
const udp = (port: number): Promise<Port> => openUdpPort({ port, ...nobody })
const tcp = (port: number): Promise<Port> => openTcpPort({ port, ...nobody, isKnown: () => false })

const tried = async (kind: ReceivedKind, port: number, opening: readonly Promise<Port>[]): Promise<Finding> => {
  const ports = await Promise.all(opening)
  const fault = ports.map(one => one.fault()).find(code => code !== null) ?? null
  await Promise.all(ports.map(one => one.close()))
  return fault === null
    ? { level: 'ok', text: words.available(kind, port) }
    : { level: 'warning', text: words.port(kind, port, fault) }
}
