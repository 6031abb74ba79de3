import { createMib, setPorts, startMibAgent } from './snmp-agent.ts'

/**
 * A process of simulated switches, for measures: `snmp-agents-main.ts COUNT PORTS UDP-PORT` answers on 127.1.0.1, 127.1.0.2 …
 * and says `ready` when all of them do. It ends with its standard input.
 */
const [count = 1, ports = 48, udpPort = 0] = process.argv.slice(2).map(Number)

const mib = createMib()
setPorts(mib, ports, 123_456_789_012)
for (let n = 0; n < count; n += 1) await startMibAgent(mib, `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`, udpPort)
process.stdout.write('ready\n')
process.stdin.on('end', () => process.exit(0)).resume()
