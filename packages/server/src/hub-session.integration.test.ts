import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr'
import { GLOBAL_STREAM, HUBS, hostStream, type MetricChanged } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, type Caller, createTestApp, PASSWORD, type TestApp } from './testing/test-app.ts'

let test: TestApp
let admin: Caller
let url = ''
const clients: HubConnection[] = []
beforeAll(async () => {
  test = await createTestApp()
  admin = await test.admin()
  await test.app.http.listen({ host: '127.0.0.1', port: 0 })
  const address = test.app.http.addresses()[0]
  url = `http://127.0.0.1:${typeof address === 'object' ? address.port : 0}`
})
afterEach(() => Promise.all(clients.splice(0).map(client => client.stop())))
afterAll(() => test.close())

const HUB_NAMES = ['communication', 'host', 'metric', 'site', 'service'] as const
const connect = async (
  caller: Pick<Caller, 'token'>,
  hub: (typeof HUB_NAMES)[number] = 'communication',
  stream: string = GLOBAL_STREAM,
) => {
  const client = new HubConnectionBuilder()
    .withUrl(`${url}${HUBS[hub].path}`, { accessTokenFactory: () => caller.token })
    .configureLogging(LogLevel.None)
    .build()
  clients.push(client)
  const closed = new Promise<void>(resolve => client.onclose(() => resolve()))
  await client.start()
  await client.invoke(HUBS[hub].join, stream)
  return { client, closed }
}
const idOf = async (caller: Caller): Promise<number> => (await caller.call('GET', '/api/Account/Get')).body.idUser

describe('the hubs follow the sessions of the product', () => {
  it.each(HUB_NAMES)('%s is joined by the method and the stream of the requirements', async hub => {
    const { client } = await connect(admin, hub)
    expect(client.state).toBe('Connected')
  })

  it('S09: an account on its first connection is refused', async () => {
    await expect(connect(await test.user(['admin'], { firstConnection: true }))).rejects.toThrow('401')
  })

  it('an API token is no session: it opens no hub', async () => {
    const { token } = (await admin.call('POST', '/api/ApiToken/Create', { name: 'x', claims: [{ claim: 'admin' }] }))
      .body
    await expect(connect({ token })).rejects.toThrow('401')
  })

  it('S52: a logout, a disabled account, a deleted one: the connections are closed, those of others stay', async () => {
    const witness = await connect(admin, 'host')
    const out = await test.user([])
    const opened = [await connect(out), await connect(out, 'metric')]
    await out.call('POST', '/api/Authentication/Logout', null)
    await Promise.all(opened.map(one => one.closed))
    const disabled = await test.user([])
    const closedByDisabling = await connect(disabled)
    await admin.call('PUT', `/api/Account/Update/${await idOf(disabled)}`, { enabled: false })
    await closedByDisabling.closed
    const deleted = await test.user([])
    const closedByDeleting = await connect(deleted)
    await admin.call('DELETE', `/api/Account/Delete/${await idOf(deleted)}`)
    await closedByDeleting.closed
    expect(witness.client.state).toBe('Connected')
  })

  it('S10: a new password closes the connections of the other sessions, not of the one that changed it', async () => {
    const user = await test.user([], { login: 'deux-postes' })
    const other = await test.signIn('deux-postes', PASSWORD)
    const [own, others] = [await connect(user), await connect(other)]
    const password = 'Nouveau-2026!'
    await user.call('PUT', '/api/Account/Password/Update', { password, passwordConfirmation: password })
    await others.closed
    expect(own.client.state).toBe('Connected')
  })

  it('S16: what concerns one account alone reaches that account alone', async () => {
    const [user, stranger] = [await test.user([], { login: 'prevenu' }), await test.user([])]
    const stolen = await test.signIn('prevenu', PASSWORD)
    const mine = await connect(user)
    const foreign = await connect(stranger)
    const heard: string[] = []
    foreign.client.on(HUBS.communication.event, () => heard.push('stranger'))
    const told = new Promise<{ title: string }>(resolve => mine.client.on(HUBS.communication.event, resolve))
    await test.anonymous().call('POST', '/api/Authentication/Refresh', {
      accessToken: stolen.token,
      refreshToken: stolen.refreshToken,
      uuid: '00000000-0000-4000-8000-000000000000',
    })
    expect(await told).toMatchObject({ type: 'Warning', title: 'Session fermée par sécurité', link: '/user/myaccount' })
    await foreign.client.invoke(HUBS.communication.leave, GLOBAL_STREAM)
    expect(heard).toEqual([])
  })

  it('who looks at a host is told of what others do to its metrics and scanners, and of no other host', async () => {
    const site = (await admin.call('POST', '/api/Site/Create', { name: 'Lyon', code: 'LYO' })).body
    const make = async (name: string) =>
      (await admin.call('POST', '/api/Host/Create', { name, address: '192.0.2.1', siteId: site.id })).body.id
    const [own, other] = [await make('r1'), await make('r2')]
    const metricsOf = async (id: number) => (await admin.call('GET', `/api/Metric/Get?host=${id}`)).body
    const rename = async (metric: { id: number }) =>
      (await admin.call('PUT', `/api/Metric/Update/${metric.id}`, { ...metric, name: 'Renommée', overrides: ['name'] }))
        .status
    const { client } = await connect(admin, 'metric', hostStream(own))
    const heard: (readonly number[])[] = []
    const waiting: (() => void)[] = []
    client.on(HUBS.metric.event, ({ entities }: MetricChanged) => {
      if (entities === undefined) return
      heard.push(entities)
      waiting.shift()?.()
    })
    const told = async (change: () => Promise<unknown>) => {
      const next = new Promise<void>(resolve => waiting.push(resolve))
      expect(await change()).toBe(200)
      await next
      return heard.at(-1)
    }
    const [first, ...others] = await metricsOf(own)
    expect(await rename((await metricsOf(other))[0])).toBe(200)
    expect(await told(() => rename(first))).toEqual([first.id])
    const erase = async (url: string) => (await admin.call('DELETE', url)).status
    expect(await told(() => erase(`/api/Metric/Delete/${first.id}`))).toEqual([first.id])
    const [scanner] = (await admin.call('GET', `/api/Scanner/Get?host=${own}`)).body
    const slower = async () =>
      (await admin.call('PUT', `/api/Scanner/Update/${scanner.id}`, { ...scanner, attempts: 5 })).status
    expect(new Set(await told(slower))).toEqual(new Set(others.map((one: { id: number }) => one.id)))
    expect(await told(() => erase(`/api/Scanner/Delete/${scanner.id}`))).toEqual([])
    expect(heard).toHaveLength(4)
  })

  it('S53: unknown streams, other accounts’ streams and the server’s own events are refused to clients', async () => {
    const { client } = await connect(await test.user([]))
    for (const stream of [
      '',
      'global ',
      'admin',
      '*',
      'account:1',
      '../global',
      1,
      null,
      ['global'],
      'x'.repeat(10_000),
    ])
      await expect(client.invoke(HUBS.communication.join, stream)).rejects.toThrow('refused')
    await expect(client.invoke('alert', { type: 'Error', title: 'x', message: 'y' })).rejects.toThrow('Unknown method')
    await expect(client.invoke(HUBS.communication.join)).rejects.toThrow('refused')
    expect(client.state).toBe('Connected')
  })

  it('S51: a token of nobody, of a closed session, from a foreign page: refused at negotiation', async () => {
    const negotiate = async (headers: Record<string, string>) =>
      (await fetch(`${url}${HUBS.communication.path}/negotiate?negotiateVersion=1`, { method: 'POST', headers })).status
    const gone = await test.signIn(ADMIN.login, ADMIN.password)
    await gone.call('POST', '/api/Authentication/Logout', null)
    expect(await negotiate({})).toBe(401)
    expect(await negotiate({ authorization: 'Bearer x' })).toBe(401)
    expect(await negotiate({ authorization: `Bearer ${gone.token}` })).toBe(401)
    expect(await negotiate({ authorization: `Bearer ${admin.token}`, origin: 'https://evil.test' })).toBe(403)
    expect(await negotiate({ authorization: `Bearer ${admin.token}`, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await negotiate({ authorization: `Bearer ${admin.token}` })).toBe(200)
  })
})
