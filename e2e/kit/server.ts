import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort as anyFreePort } from '../../tools/free-port.ts'
import { endProgram, type Program, spawnProgram } from './program.ts'

const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
export const ADMIN = { login: 'admin', first: 'Premier-2026!', password: 'Narval-2026!' } as const
const READY_MS = 30_000

export interface RunningServer extends Program {
  readonly url: string
  readonly port: number
  readonly folder: string
}

/** A port of loopback that nobody listens on. */
export const freePort = (): Promise<number> => anyFreePort(20_000, 32_000)

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'narval-e2e-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Starts the real server without waiting for it. */
export const spawnServer = (
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): RunningServer => ({
  ...spawnProgram(MAIN, {
    NARVAL_DATA: folder,
    NARVAL_HOST: '127.0.0.1',
    NARVAL_PORT: String(port),
    NARVAL_ADMIN_LOGIN: ADMIN.login,
    NARVAL_ADMIN_PASSWORD: ADMIN.first,
    NARVAL_LOGIN_RATE: 'off',
    NARVAL_LOG: 'warn',
    ...env,
  }),
  url: `http://127.0.0.1:${port}`,
  port,
  folder,
})

/** Starts the real server and waits until it is ready, `readyMs` at most; throws with what it printed when it is not. */
export const startServer = async (
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
  readyMs: number = READY_MS,
): Promise<RunningServer> => {
  const server = spawnServer(folder, port, env)
  const deadline = performance.now() + readyMs
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  while (performance.now() < deadline && !ended) {
    const answer = await fetch(`${server.url}/health/ready`).catch(() => null)
    if (answer?.status === 200) return server
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  await endProgram(server)
  throw new Error(`the server is not ready:\n${server.output()}`)
}

export const stopServer = async (server: RunningServer): Promise<void> => {
  server.kill('SIGTERM')
  await server.exited
}
