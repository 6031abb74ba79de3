import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))
export const ADMIN = { login: 'admin', first: 'Premier-2026!', password: 'Narval-2026!' } as const
const READY_MS = 30_000

export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly pid: number
  /** What it printed so far, both streams. */
  output(): string
  /** Resolves with the exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'narval-e2e-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

const running = new Set<ChildProcess>()
/** Nothing outlives the tests, whatever their end. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts the real server without waiting for it. */
export const spawnServer = (
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): RunningServer => {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      NARVAL_DATA: folder,
      NARVAL_HOST: '127.0.0.1',
      NARVAL_PORT: String(port),
      NARVAL_ADMIN_LOGIN: ADMIN.login,
      NARVAL_ADMIN_PASSWORD: ADMIN.first,
      NARVAL_LOGIN_RATE: 'off',
      NARVAL_LOG: 'warn',
      ...env,
    },
  })
  running.add(child)
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  child.stderr.on('data', chunk => chunks.push(chunk))
  const exited = new Promise<number | null>(resolve => {
    child.once('exit', code => {
      running.delete(child)
      resolve(code)
    })
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    folder,
    pid: child.pid ?? 0,
    output: () => Buffer.concat(chunks).toString(),
    exited,
    kill: signal => child.kill(signal),
  }
}

/** Starts the real server and waits until it is ready; throws with what it printed when it is not. */
export const startServer = async (
  folder: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> => {
  const server = spawnServer(folder, port, env)
  const deadline = performance.now() + READY_MS
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  while (performance.now() < deadline && !ended) {
    const answer = await fetch(`${server.url}/health/ready`).catch(() => null)
    if (answer?.status === 200) return server
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  server.kill('SIGKILL')
  throw new Error(`the server is not ready:\n${server.output()}`)
}

export const stopServer = async (server: RunningServer): Promise<void> => {
  server.kill('SIGTERM')
  await server.exited
}
