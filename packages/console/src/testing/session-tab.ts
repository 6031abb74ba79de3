import type { OwnAccount } from '@narval/contracts'
import { createLocalSession, type KeyValueStore } from '../lib/local-session.ts'
import { createSession, type Session } from '../lib/session-core.ts'

export const MINUTE = 60_000
/** The account that the server of `tab` knows. */
export const user: OwnAccount = {
  idUser: 7,
  login: 'claire',
  firstName: 'Claire',
  lastName: 'Legoff',
  email: '',
  phone: '',
  avatar: 'phare',
  density: 'comfortable',
  firstConnection: false,
  theme: 'auto',
  homePage: '/dashboard/live-view',
  claims: [{ claim: 'site_write' }],
  limited: false,
  limits: [],
}
export const credentials = {
  login: 'claire',
  password: 'Secret#1',
  browser: '',
  browserVersion: '',
  device: '',
  deviceType: '',
  orientation: '',
  os: '',
  osVersion: '',
  userAgent: '',
  isMobile: false,
  isTablet: false,
  isDesktopDevice: true,
}

const memory = (): KeyValueStore & { readonly map: Map<string, string> } => {
  const map = new Map<string, string>()
  return {
    map,
    getItem: key => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: key => void map.delete(key),
    clear: () => map.clear(),
  }
}
const base64url = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
/** A session token as the server makes them, but for its signature. */
export const token = (serial: number, issuedAtMs: number, lifeMs = 10 * MINUTE): string =>
  `h.${base64url({ sub: '7', jti: serial, iat: issuedAtMs / 1000, exp: (issuedAtMs + lifeMs) / 1000 })}.s`

/** `cut`: the body ends before it is whole, after a status of 200. */
export type Reply = { readonly status: number; readonly body?: unknown } | 'lost' | 'cut'
interface Asked {
  readonly path: string
  readonly body: unknown
  readonly authorization: string | null
}

let serial = 0

/** A browser tab: its storage, its clock, its timers, and a server that answers as told. */
export const tab = (store = memory(), startMs = 1_000_000) => {
  let now = startMs
  let leftUntil = 0
  const asked: Asked[] = []
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>()
  const answers = new Map<string, () => Reply | Promise<Reply>>()
  const tokens = (): Reply => {
    serial += 1
    return { status: 200, body: { token: token(serial, now), refreshToken: `refresh-${serial}` } }
  }
  answers.set('/api/Authentication/Login', tokens)
  answers.set('/api/Authentication/Refresh', tokens)
  answers.set('/api/Authentication/Logout', () => ({ status: 204 }))
  answers.set('/api/Account/Get', () => ({ status: 200, body: user }))
  const fetchStub: typeof fetch = async (input, init) => {
    const path = String(input)
    asked.push({
      path,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : null,
      authorization: new Headers(init?.headers).get('authorization'),
    })
    const reply = await answers.get(path)?.()
    if (reply === undefined || reply === 'lost') throw new TypeError('network')
    if (reply === 'cut') return new Response(new ReadableStream({ start: body => body.error(new TypeError('cut')) }))
    return new Response(reply.status === 204 ? null : JSON.stringify(reply.body ?? {}), { status: reply.status })
  }
  let bytes = 0
  const session: Session = createSession({
    local: createLocalSession(store, length => Uint8Array.from({ length }, () => (bytes = (bytes + 1) % 256))),
    transport: { fetch: fetchStub, cookie: () => 'XSRF-TOKEN=x' },
    now: () => now,
    after: (delayMs, run) => {
      const id = timers.size + serial * 1000 + asked.length * 7 + now
      timers.set(id, { at: now + delayMs, run })
      return () => timers.delete(id)
    },
    lock: run => run(),
    leaving: () => now < leftUntil,
  })
  return {
    session,
    store,
    asked,
    answer: (path: string, reply: () => Reply | Promise<Reply>) => answers.set(path, reply),
    count: (path: string) => asked.filter(one => one.path === path).length,
    nextTimer: () => Math.min(...[...timers.values()].map(one => one.at)) - now,
    async pass(ms: number) {
      now += ms
      for (const [id, one] of [...timers]) {
        if (one.at > now) continue
        timers.delete(id)
        one.run()
      }
      await settle()
    },
    /** The page is being left for as long. */
    leave: (ms: number) => {
      leftUntil = now + ms
    },
    setNow: (ms: number) => {
      now = ms
    },
  }
}
/** Lets every promise that can go on do so. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}
