import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckCredential } from '@narval/contracts'
import { freeUdpPort } from './ports.ts'
import { findProgram } from './programs.ts'

export const SNMPD = findProgram('snmpd')

export type SnmpCredential = Extract<CheckCredential, { kind: 'snmp' }>
/** A credential of v2c, or with what a test says. */
export const snmpCredential = (port: number, more: Partial<SnmpCredential> = {}): SnmpCredential => ({
  kind: 'snmp',
  version: 'v2c',
  port,
  community: 'public',
  user: '',
  authProtocol: 'none',
  authPassword: '',
  privProtocol: 'none',
  privPassword: '',
  contextName: '',
  ...more,
})

export interface Snmpd {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** A private net-snmp agent on 127.0.0.1 and ::1, with these lines of configuration, at a free port or this one; ready when it resolves. */
export const startSnmpd = async (lines: readonly string[], at?: number): Promise<Snmpd> => {
  if (SNMPD === null) throw new Error('snmpd is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'narval-snmpd-'))
  const port = at ?? (await freeUdpPort())
  const file = join(folder, 'snmpd.conf')
  writeFileSync(file, [`agentAddress udp:127.0.0.1:${port},udp6:[::1]:${port}`, ...lines, ''].join('\n'))
  const child = spawn(SNMPD, ['-f', '-C', '-c', file, '-Lo', '-I', '-smux'], {
    env: { ...process.env, SNMP_PERSISTENT_DIR: folder, MIBS: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await listening(child)
  return {
    port,
    stop: async () => {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** snmpd says its version when its ports are open. */
const listening = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`snmpd ended: ${said}`)))
    child.stdout?.on('data', chunk => {
      said += String(chunk)
      if (said.includes('NET-SNMP version')) resolve()
    })
  })
