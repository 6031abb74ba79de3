import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestApp } from './test-app.ts'

const PROBE_MAIN = fileURLToPath(new URL('../../../probe/src/main.ts', import.meta.url))

/** A real probe, which a test kills and starts again in the same folder. */
export interface ProbeProcess {
  readonly id: number
  readonly name: string
  /** Starts it; `env` wins over what it is given. */
  start(env?: NodeJS.ProcessEnv): void
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Kills it and removes its folder. */
  end(): Promise<void>
}

/** Enrols and starts a probe that stands on the server's machine, so that loopback targets are its to check. */
export const startProbeProcess = async (test: TestApp, url: string, name: string): Promise<ProbeProcess> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-probe-'))
  const { code } = await test.app.probes.createCode(null, true)
  let child: ChildProcess | null = null
  const start = (env: NodeJS.ProcessEnv = {}): void => {
    child = spawn(process.execPath, [PROBE_MAIN], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NARVAL_SERVER: url,
        NARVAL_PROBE_DATA: folder,
        NARVAL_PROBE_NAME: name,
        NARVAL_ENROLL_CODE: code,
        NARVAL_PROBE_LOOPBACK: '1',
        ...env,
      },
      stdio: 'ignore',
    })
  }
  const kill = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
  start()
  return {
    id: await enrolledId(test, name),
    name,
    start,
    kill,
    async end() {
      await kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const enrolledId = async ({ app }: TestApp, name: string): Promise<number> => {
  for (let tries = 0; tries < 300; tries++) {
    const known = [...app.monitoring.presence.probes.values()].find(probe => probe.name === name)
    if (known !== undefined && app.monitoring.presence.state(known.id) === 'online') return known.id
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`the probe ${name} did not enrol within 30 s`)
}
