import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from './testing/test-app.ts'

const IDENTITIES = 20
const REQUESTS = 5_000
/** In the name of everything that is one identity's: `identité-7-`. */
const markOf = (identity: number): string => `identité-${identity}-`
const MARKS = /identité-\d+-/g

interface Identity {
  readonly caller: Caller
  readonly mark: string
  readonly siteId: number
  readonly hostId: number
}

/** Of the two the one that answers several at a time, where there is one. */
const dialect = DIALECTS.at(-1) ?? 'sqlite'

describe(`S37: ${dialect} under requests of many at once`, () => {
  let test: TestApp
  let identities: readonly Identity[]

  const identityOf = async (admin: Caller, number: number): Promise<Identity> => {
    const mark = markOf(number)
    const site = await admin.make('/api/Site/Create', { name: `${mark}site`, code: `S${number}` })
    const host = { name: `${mark}hôte`, address: `192.0.2.${number + 1}`, siteId: site.id, withPing: true }
    const { id: hostId } = await admin.make('/api/Host/Create', { ...host, tags: [`${mark}étiquette`] })
    // Half of them by their site, half by a tag.
    const place = number % 2 === 0 ? { siteIds: [site.id] } : { tags: [`${mark}étiquette`] }
    const claims = ['host_write', 'incident_write', 'scanner_read'].map(claim => ({ claim }))
    const caller = await test.user([], { login: `u${number}` })
    const { body: profile } = await caller.call('PUT', '/api/Account/Update', { firstName: `${mark}prénom` })
    const group = { name: `${mark}groupe`, claims, members: [profile.idUser], limited: true, ...place }
    await admin.make('/api/UserGroup/Create', group)
    return { caller, mark, siteId: site.id, hostId }
  }

  beforeAll(async () => {
    test = await createTestApp({ dialect, checkReplies: false })
    const admin = await test.admin()
    const made: Identity[] = []
    for (let number = 0; number < IDENTITIES; number += 1) made.push(await identityOf(admin, number))
    identities = made
  }, 150_000)
  afterAll(() => test.close())

  interface Asked {
    readonly method: 'GET' | 'POST' | 'PUT'
    readonly url: string
    readonly body?: unknown
    /** The answer names something of its own. */
    readonly tells: boolean
  }
  type Ask = (one: Identity, at: number) => Asked
  const get =
    (url: (one: Identity, at: number) => string, tells: boolean): Ask =>
    (one, at) => ({ method: 'GET', url: url(one, at), tells })
  const own = get(() => '/api/Account/Get', true)
  const live = get(({ hostId }) => `/api/Metric/Get/Live?host=${hostId}`, false)
  const claims = get(() => '/api/Claim/User/Get', false)
  const host = get(({ hostId }) => `/api/Host/Get/${hostId}`, true)
  // Another's host is none.
  const others = get(({ hostId }, at) => `/api/Host/Get/${hostId + (at % 40 < 20 ? 1 : -1)}`, false)
  const comments = get(({ hostId }) => `/api/Comment/Get?kind=host&id=${hostId}`, false)
  /** A write among many reads makes what was kept until then worthless. */
  const writing: Ask = (one, at) =>
    at % 1_000 < 20
      ? {
          ...{ method: 'POST', url: '/api/Comment/Create', tells: true },
          body: { kind: 'host', id: one.hostId, text: `${one.mark}${at}` },
        }
      : comments(one, at)
  const lists: readonly Ask[] = [
    get(() => '/api/SiteDatatable', true),
    get(() => '/api/MetricDatatable', true),
    get(() => '/api/Site/Tree', true),
    get(() => '/api/Search?term=identit%C3%A9', true),
    get(() => '/api/Dashboard/Get/Main', false),
    () => ({ method: 'PUT', url: '/api/HostDatatable', body: { search: { value: 'hôte' } }, tells: true }),
  ]
  /** What each asks, in turn: mostly what is cheap, as five thousand at once are to be few seconds. */
  const ASKED: readonly Ask[] = lists.flatMap(list => [
    own,
    live,
    others,
    live,
    host,
    writing,
    live,
    others,
    claims,
    live,
    list,
  ])

  it('answers each with what is its own alone', async () => {
    const wrong: string[] = []
    const ask = async (at: number): Promise<void> => {
      const one = identities[at % IDENTITIES]
      const asked = one && ASKED[Math.floor(at / IDENTITIES) % ASKED.length]?.(one, at)
      if (one === undefined || asked === undefined) throw new Error(`no request ${at}`)
      const { status, body } = await one.caller.call(asked.method, asked.url, asked.body)
      const marks = new Set(JSON.stringify(body).match(MARKS) ?? [])
      const isOwn = marks.size === 0 ? !asked.tells : marks.size === 1 && marks.has(one.mark)
      if (!isOwn || status >= 500) wrong.push(`${one.mark} ${status} ${asked.url}: ${[...marks].join()}`)
    }
    // Known once, so that most of the five thousand are not the same questions of who they are.
    for (let at = 0; at < IDENTITIES; at += 1) await ask(at)
    await Promise.all(Array.from({ length: REQUESTS }, (_, at) => ask(at)))
    expect(wrong).toEqual([])
    // Five seconds of work; as long as this where other tests share the machine.
  }, 150_000)
})
