import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One value that an agent is to show: type as snmpd's `pass_persist` names it; octets as hex digits. */
export type Shown = readonly [oid: string, type: 'integer' | 'string' | 'octet', value: string]

/** What stands for the rest of a MIB: answers snmpd's `pass_persist` questions from a sorted list. */
const PASS = `
const rows = JSON.parse(require('node:fs').readFileSync(process.argv[2], 'utf8'))
const parts = oid => oid.split('.').filter(Boolean).map(Number)
const compare = (a, b) => { for (let n = 0; n < Math.max(a.length, b.length); n += 1) { const d = (a[n] ?? -1) - (b[n] ?? -1); if (d !== 0) return d } return 0 }
const sorted = rows.map(row => [parts(row[0]), row]).sort((a, b) => compare(a[0], b[0]))
let lines = [], rest = ''
process.stdin.on('data', data => {
  const all = (rest + data).split('\\n'); rest = all.pop(); lines.push(...all)
  for (;;) {
    if (lines[0] === 'PING') { lines.shift(); process.stdout.write('PONG\\n'); continue }
    if (lines.length < 2) return
    const [command, oid] = lines.splice(0, 2); const asked = parts(oid)
    const hit = command === 'get' ? sorted.find(([own]) => compare(own, asked) === 0) : sorted.find(([own]) => compare(own, asked) > 0)
    process.stdout.write(hit === undefined ? 'NONE\\n' : '.' + hit[1][0] + '\\n' + hit[1][1] + '\\n' + hit[1][2] + '\\n')
  }
})
process.stdin.on('end', () => process.exit(0))
`

/** A private snmpd that shows a system group and more, on an address of loopback. */
export const startSnmpd = async (
  program: string,
  options: {
    address: string
    port: number
    community: string
    name: string
    descr: string
    objectId: string
    services: number
    shown: readonly Shown[]
  },
) => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-snmpd-'))
  writeFileSync(join(folder, 'pass.cjs'), PASS)
  writeFileSync(join(folder, 'shown.json'), JSON.stringify(options.shown))
  const pass = `${process.execPath} ${join(folder, 'pass.cjs')} ${join(folder, 'shown.json')}`
  writeFileSync(
    join(folder, 'snmpd.conf'),
    [
      `agentaddress udp:${options.address}:${options.port}`,
      `rocommunity ${options.community}`,
      `sysName ${options.name}`,
      `sysDescr ${options.descr}`,
      `sysObjectID ${options.objectId}`,
      `sysServices ${options.services}`,
      'sysLocation Baie 3',
      `pass_persist .1.0.8802 ${pass}`,
      `pass_persist .1.3.6.1.2.1.17 ${pass}`,
      `pass_persist .1.3.6.1.2.1.43 ${pass}`,
    ].join('\n'),
  )
  const child = spawn(
    program,
    ['-f', '-C', '-c', join(folder, 'snmpd.conf'), '-Lo', '-p', join(folder, 'pid'), '-I', '-smux'],
    {
      env: { ...process.env, SNMP_PERSISTENT_DIR: folder, MIBS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const listen = (data: Buffer) => {
      said += data.toString()
      if (said.includes('NET-SNMP version')) resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', code => reject(new Error(`snmpd ended (${code}): ${said}`)))
  })
  return {
    stop: async () => {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const hex = (text: string): string => [...Buffer.from(text)].map(byte => byte.toString(16).padStart(2, '0')).join(' ')
const mac = (text: string): string => text.replaceAll(':', ' ')

export interface ShownNeighbour {
  readonly port: number
  readonly portName: string
  readonly chassisMac: string
  readonly remotePort: string
  readonly name: string
  readonly address: string | null
}

/** A bridge's and LLDP's tables as a switch shows them. */
export const lldpOf = (ownMac: string, neighbours: readonly ShownNeighbour[]): Shown[] => [
  ['1.3.6.1.2.1.17.1.1.0', 'octet', mac(ownMac)],
  ['1.3.6.1.2.1.17.1.2.0', 'integer', '24'],
  ['1.0.8802.1.1.2.1.3.1.0', 'integer', '4'],
  ['1.0.8802.1.1.2.1.3.2.0', 'octet', mac(ownMac)],
  ...neighbours.flatMap(({ port, portName, chassisMac, remotePort, name, address }, n): Shown[] => {
    const row = `0.${port}.${n + 1}`
    const remote = (column: number): string => `1.0.8802.1.1.2.1.4.1.1.${column}.${row}`
    return [
      [`1.0.8802.1.1.2.1.3.7.1.3.${port}`, 'octet', hex(portName)],
      [remote(4), 'integer', '4'],
      [remote(5), 'octet', mac(chassisMac)],
      [remote(6), 'integer', '5'],
      [remote(7), 'octet', hex(remotePort)],
      [remote(9), 'octet', hex(name)],
      ...(address === null ? [] : [[`1.0.8802.1.1.2.1.4.2.1.3.${row}.1.4.${address}`, 'integer', '2'] satisfies Shown]),
    ]
  }),
]
