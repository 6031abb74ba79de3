import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const PROBE_MAIN = fileURLToPath(new URL('../../probe/src/main.ts', import.meta.url))
const FIRST_RESTART_MS = 1_000
const LONGEST_RESTART_MS = 30_000
const STOP_MS = 5_000
/** A probe that ran this long starts again without delay. */
const SOUND_MS = 60_000

export interface LocalProbe {
  stop(): Promise<void>
}

export interface LocalProbeOptions {
  readonly dataFolder: string
  readonly serverUrl: string
  /** Certificate to trust when the server speaks TLS. */
  readonly certificate: string | null
  /** Where it receives traps and syslog; 0: nowhere. */
  readonly ports: { readonly trap: number; readonly syslog: number }
  /** A one-time code that enrols and approves; asked at each start, a probe already enrolled leaves it unused. */
  readonly code: () => Promise<string>
  readonly log: Logger
}

/** Runs the local probe as a child process and starts it again, with a growing delay, whenever it ends. */
export const startLocalProbe = (options: LocalProbeOptions): LocalProbe => {
  const folder = join(options.dataFolder, 'probe')
  const codeFile = join(folder, 'enrolment-code')
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | null = null
  let delayMs = FIRST_RESTART_MS
  let stopped = false

  const launch = async (): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(codeFile, await options.code(), { mode: 0o600 })
    if (stopped) return
    const startedMs = performance.now()
    child = spawn(process.execPath, [PROBE_MAIN], {
      // The channel ends with this process, however it ends: no orphan keeps the probe's folder.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
        NARVAL_SERVER: options.serverUrl,
        NARVAL_PROBE_DATA: folder,
        NARVAL_PROBE_NAME: 'Sonde locale',
        NARVAL_ENROLL_CODE_FILE: codeFile,
        // It stands on the server's own machine, which is what it supervises.
        NARVAL_PROBE_LOOPBACK: '1',
        NARVAL_PROBE_TRAP_PORT: String(options.ports.trap),
        NARVAL_PROBE_SYSLOG_PORT: String(options.ports.syslog),
        UV_THREADPOOL_SIZE: '8',
        ...(options.certificate === null ? {} : { NODE_EXTRA_CA_CERTS: options.certificate }),
      },
    })
    child.once('exit', (code, signal) => {
      child = null
      if (stopped) return
      delayMs = performance.now() - startedMs > SOUND_MS ? FIRST_RESTART_MS : Math.min(delayMs * 2, LONGEST_RESTART_MS)
      options.log.warn({ code, signal, delayMs }, 'local probe ended; it starts again')
      again()
    })
  }
  const again = (): void => {
    timer = setTimeout(() => {
      launch().catch(error => {
        options.log.error({ err: error }, 'local probe not started')
        again()
      })
    }, delayMs)
  }
  void launch().catch(error => {
    options.log.error({ err: error }, 'local probe not started')
    again()
  })

  return {
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      const running = child
      if (running === null) return
      const ended = new Promise<void>(resolve => running.once('exit', () => resolve()))
      running.kill('SIGTERM')
      const force = setTimeout(() => running.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(force)
    },
  }
}
