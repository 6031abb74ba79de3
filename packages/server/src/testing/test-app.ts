import { generateKeyPairSync, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { type Claim, CSRF_COOKIE, CSRF_HEADER, type Route } from '@narval/contracts'
import { pino } from 'pino'
import { type App, type AppDeps, createApp } from '../app.ts'
import { insertAccount } from '../features/account/account.store.ts'
import { hashPassword, verifyPassword } from '../features/account/password-hash.ts'
import { prepareDatabase } from '../first-start.ts'
import { NO_RATE_LIMITS } from '../http/rate-limit.ts'
import { openEmbeddedSampleStore, type SampleThreads } from '../samples/embedded.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import type { Database } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'
import { openTestDatabase } from './test-database.ts'

export { DIALECTS, openTestDatabase, POSTGRES_URL } from './test-database.ts'

export const ADMIN = { login: 'admin', password: 'Narval-2026!' } as const
/** The password of every account that a test makes. */
export const PASSWORD = 'Essai-2026!'
let passwordHash: Promise<string> | null = null
let adminHash: Promise<string> | null = null
/** The same for all applications: each would take longer than most tests. */
const hashOfAdmin = (password: string): Promise<string> => (adminHash ??= hashPassword(password))
const verified = new Map<string, ReturnType<typeof verifyPassword>>()
/** Each password against a hash once a process: most tests sign the same two accounts in. */
const verifyOnce: typeof verifyPassword = (password, hash) => {
  const known = verified.get(`${password}\n${hash}`)
  if (known !== undefined) return known
  const found = verifyPassword(password, hash)
  verified.set(`${password}\n${hash}`, found)
  return found
}

const idle: Worker[] = []
const threads: SampleThreads = {
  take() {
    const thread = idle.pop() ?? null
    thread?.ref()
    return thread
  },
  giveBack(thread) {
    thread.unref()
    idle.push(thread)
  },
}

/** What an answer says; tests look into it by path. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of any route, whose shape the test asserts.
export type Answered = any

export interface Caller {
  /** Calls a route of the API as this caller. */
  call(
    method: Route['method'],
    url: string,
    body?: unknown,
  ): Promise<{ status: number; body: Answered; headers: Record<string, unknown> }>
  /** Creates by POST: what was created. @throws what was answered instead. */
  make(url: string, body: unknown): Promise<Answered>
  readonly token: string
  readonly refreshToken: string
  /** A list as the file that `accept` asks for. */
  file(
    url: string,
    accept: string,
    body: unknown,
  ): Promise<{ status: number; text: string; headers: Record<string, unknown> }>
  readonly uuid: string
  /** Its XSRF token, cookie and header. */
  readonly csrf: string
}

export interface TestApp {
  readonly app: App
  readonly database: Database
  readonly samples: SampleStore
  readonly folder: string
  /** Signs in as the administrator, past the first connection. */
  admin(): Promise<Caller>
  /** An account past its first connection (unless said) that holds these claims. */
  user(claims: readonly Claim[], options?: { firstConnection?: boolean; login?: string }): Promise<Caller>
  anonymous(): Caller
  /** Shows an API token instead of a session's, without any cookie. */
  bearing(apiToken: string): Caller
  signIn(login: string, password: string, uuid?: string): Promise<Caller>
  close(): Promise<void>
}

/** The real application on real stores: a database of the dialect asked, the embedded sample store in a folder of its own. */
export const createTestApp = async (
  options: { dialect?: Dialect; now?: () => number } & Partial<AppDeps> = {},
): Promise<TestApp> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-test-'))
  const { database, drop } = await openTestDatabase(options.dialect ?? 'sqlite')
  const samples = await openEmbeddedSampleStore({ folder: join(folder, 'samples'), threads })
  const now = options.now ?? Date.now
  await prepareDatabase(database, { login: ADMIN.login, password: ADMIN.password }, now(), hashOfAdmin)
  await database.db.updateTable('account').set({ first_connection: 0 }).execute()
  const master = randomBytes(32)
  const app = await createApp({
    database,
    samples,
    key: use => new Uint8Array(hkdfSync('sha256', master, '', use, 32)),
    serverKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    log: pino({ level: process.env.NARVAL_TEST_LOG ?? 'silent' }),
    loginRate: false,
    verify: verifyOnce,
    rateLimits: NO_RATE_LIMITS,
    checkReplies: true,
    ...options,
    now,
  })
  await app.start()

  const caller = (token: string, refreshToken: string, uuid: string, csrf: string): Caller => {
    const call: Caller['call'] = async (method, url, body) => {
      const answer = await app.http.inject({
        method,
        url,
        headers: {
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          ...(method === 'GET' || csrf === '' ? {} : { [CSRF_HEADER]: csrf, cookie: `${CSRF_COOKIE}=${csrf}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return {
        status: answer.statusCode,
        body: answer.body === '' ? null : JSON.parse(answer.body),
        headers: answer.headers,
      }
    }
    return {
      call,
      token,
      csrf,
      refreshToken,
      uuid,
      async file(url, accept, body) {
        const answer = await app.http.inject({
          method: 'PUT',
          url,
          headers: {
            ...{ authorization: `Bearer ${token}`, [CSRF_HEADER]: csrf, cookie: `${CSRF_COOKIE}=${csrf}` },
            ...{ accept, 'content-type': 'application/json' },
          },
          payload: JSON.stringify(body),
        })
        return { status: answer.statusCode, text: answer.body, headers: answer.headers }
      },
      async make(url, body) {
        const answer = await call('POST', url, body)
        if (answer.status !== 201) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        return answer.body
      },
    }
  }
  const anonymous = caller('', '', randomUUID(), await offeredCsrf(app))
  const signIn = async (login: string, password: string, uuid: string = randomUUID()): Promise<Caller> => {
    const answer = await anonymous.call('POST', '/api/Authentication/Login', { login, password, uuid })
    if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`)
    return caller(answer.body.token, answer.body.refreshToken, uuid, csrfOf(answer.headers))
  }
  let made = 0
  // What follows each test of a file may come after one that made no application.
  let closed: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await app.stop()
    await samples.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    app,
    database,
    samples,
    folder,
    anonymous: () => anonymous,
    bearing: apiToken => caller(apiToken, '', '', ''),
    signIn,
    admin: () => signIn(ADMIN.login, ADMIN.password),
    async user(claims, { firstConnection = false, login = `user-${++made}` } = {}) {
      passwordHash ??= hashPassword(PASSWORD)
      const account = {
        login,
        firstName: 'Claire',
        lastName: 'Legoff',
        email: '',
        avatar: 'narval',
        passwordHash: await passwordHash,
        firstConnection,
        groups: [],
        claims,
      }
      await insertAccount(database.db, account, null, now())
      return signIn(login, PASSWORD)
    },
    close: () => (closed ??= close()),
  }
}

/** The XSRF token that an answer gives; empty when it gives none. */
const csrfOf = (headers: Record<string, unknown>): string => {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String)
  const cookie = cookies.find(one => one.startsWith(`${CSRF_COOKIE}=`)) ?? ''
  return decodeURIComponent(cookie.slice(CSRF_COOKIE.length + 1).split(';')[0] ?? '')
}

const offeredCsrf = async (app: App): Promise<string> => {
  const answer = await app.http.inject({ method: 'GET', url: '/api/Parameter/Public' })
  return csrfOf(answer.headers)
}
