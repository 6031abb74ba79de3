import { randomUUID } from 'node:crypto'
import { accountRoutes, authenticationRoutes, CSRF_COOKIE, CSRF_HEADER, parameterRoutes } from '@narval/contracts'
import { signIn } from '../e2e/kit/client.ts'
import { ADMIN, freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { quantile, say, timed } from './kit.ts'

/** Signing in: how long each answer takes, which must tell nothing of what was wrong (S04), and the hashes a second. */
const ROUNDS = 200

const folder = temporaryFolder()
const server = await startServer(folder, await freePort(), { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' })
const api = await signIn(server.url)
const disabled = await api.call(accountRoutes.create, { body: { login: 'eteint', password: 'Eteint-2026!' } })
await api.call(accountRoutes.update, { params: { id: String(disabled.idUser) }, body: { enabled: false } })
const offered = await fetch(`${server.url}${parameterRoutes.public.path}`)
const csrf =
  offered.headers
    .getSetCookie()[0]
    ?.split(';')[0]
    ?.slice(CSRF_COOKIE.length + 1) ?? ''
const attempt = async (login: string, password: string): Promise<number> => {
  const answer = await fetch(`${server.url}${authenticationRoutes.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${CSRF_COOKIE}=${csrf}`, [CSRF_HEADER]: csrf },
    body: JSON.stringify({ login, password, uuid: randomUUID() }),
  })
  await answer.arrayBuffer()
  return answer.status
}
const CASES = [
  ['unknown login', 'personne', 'Eteint-2026!', 401],
  ['wrong password', ADMIN.login, 'Faux-2026!', 401],
  ['disabled account', 'eteint', 'Eteint-2026!', 401],
  ['right password', ADMIN.login, ADMIN.password, 200],
] as const
const times = new Map<string, number[]>(CASES.map(([name]) => [name, []]))
for (let round = 0; round < ROUNDS; round++)
  for (const [name, login, password, expected] of CASES) {
    const ms = await timed(async () => {
      const status = await attempt(login, password)
      if (status !== expected) throw new Error(`${name} answered ${status}`)
    })
    times.get(name)?.push(ms)
  }
const reference = quantile(times.get('wrong password') ?? [], 0.5)
for (const [name] of CASES) {
  const median = quantile(times.get(name) ?? [], 0.5)
  say(`sign-in, ${name}, median`, `${median.toFixed(1)} ms`, `${(median / reference).toFixed(3)} of a wrong password`)
}
await stopServer(server)
removeFolder(folder)
