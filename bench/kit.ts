import { existsSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountRoutes, CSRF_COOKIE, CSRF_HEADER } from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import type { RunningServer } from '../e2e/kit/server.ts'

/** What the benches of the whole server share: quantiles, lines of figures, a client that costs little, a look inside. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const say = (figure: string, value: string, note = ''): void =>
  console.log(`${figure.padEnd(62)} ${value.padStart(14)}  ${note}`)

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** Calls a second of so many clients at once, over so long. */
export const perSecond = async (clients: number, forMs: number, work: (turn: number) => Promise<unknown>) => {
  let done = 0
  const until = performance.now() + forMs
  const client = async () => {
    while (performance.now() < until) await work(done++)
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (done * 1_000) / forMs
}

/** Kept-alive calls whose answers are received whole and not looked into: the server is measured, not the client. */
export const lightClient = async (server: RunningServer, api: ApiClient, clients: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const authorization = `Bearer ${api.token()}`
  const offered = await fetch(`${server.url}${accountRoutes.ownClaims.path}`, { headers: { authorization } })
  const cookie = offered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const csrf = cookie.slice(CSRF_COOKIE.length + 1)
  const call = (method: 'GET' | 'PUT', path: string, body = ''): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization,
        cookie,
        [CSRF_HEADER]: csrf,
        ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const asked = request(`${server.url}${path}`, { method, agent, headers }, answer => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${path} answered ${answer.statusCode}`)),
        )
      })
      asked.on('error', reject)
      asked.end(body)
    })
  return { call, close: () => agent.destroy() }
}

/** Delays of the event loop in ms, the CPU time of its longest turn, resident memory in MiB, CPU time in ms. */
export interface Inside {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly turnCpuMs: number
  readonly rssMb: number
  readonly cpuMs: number
}

/** Environment of a server, started as `npm start` does, that can be looked into, and the look: figures since the one before. */
export const insideOf = (folder: string) => {
  const out = join(folder, 'inside.json')
  const module = fileURLToPath(new URL('kit-inside.ts', import.meta.url))
  return {
    env: { NARVAL_BENCH_OUT: out, NODE_OPTIONS: `--max-semi-space-size=16 --import=${module}` },
    async look(server: RunningServer): Promise<Inside> {
      rmSync(out, { force: true })
      process.kill(server.pid, 'SIGUSR2')
      while (!existsSync(out)) await new Promise(resolve => setTimeout(resolve, 10))
      await new Promise(resolve => setTimeout(resolve, 10))
      return JSON.parse(readFileSync(out, 'utf8'))
    },
  }
}
