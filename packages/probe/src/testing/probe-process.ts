import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROBE_MAIN } from '../index.ts'
import { startWireServer, type WireServer } from './wire-server.ts'

export interface StartedProbe {
  readonly child: ChildProcess
  /** All that it has written so far. */
  readonly said: () => string
  /** Its exit code; null when a signal ended it. */
  readonly exit: Promise<number | null>
}
export interface ProbeProcesses {
  readonly folder: string
  readonly server: WireServer
  readonly start: (env?: NodeJS.ProcessEnv) => StartedProbe
  /** Kills those that still run, and takes away the server and the folder. */
  readonly end: () => Promise<void>
}

/** A server of the wire and a data folder, on which probes are run as the processes that they are. */
export const prepareProbeProcesses = async (): Promise<ProbeProcesses> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-probe-'))
  const server = await startWireServer()
  const children = new Set<ChildProcess>()
  return {
    folder,
    server,
    start(env = {}) {
      const child = spawn(process.execPath, [PROBE_MAIN], {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          NARVAL_SERVER: server.url,
          NARVAL_PROBE_DATA: folder,
          NARVAL_PROBE_NAME: 'essai',
          NARVAL_ENROLL_CODE: server.code,
          NARVAL_PROBE_LOOPBACK: '1',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.add(child)
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', chunk => {
          text += String(chunk)
        })
      const exit = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
      return { child, said: () => text, exit }
    },
    async end() {
      for (const child of children) {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      await server.down()
      rmSync(folder, { recursive: true })
    },
  }
}
