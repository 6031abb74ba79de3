import {
  ALWAYS,
  deliveryRoutes,
  hostRoutes,
  type Incident,
  incidentRoutes,
  maintenanceRoutes,
  notificationChannelRoutes,
  notificationRuleRoutes,
} from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { useProduct } from './kit/product.ts'
import { createTree, type TreeFleet } from './kit/tree-fleet.ts'
import { openWebhook, type WebhookReceiver } from './kit/webhook.ts'

/** What an operator must live through without being shouted at: seen on screen, and told to a real web server. */
const HOSTS = 50
const ATTEMPTS = 3
const SOON = { timeout: 30_000 }

let webhook: WebhookReceiver
const fleets: TreeFleet[] = []
const product = useProduct({
  env: { NARVAL_SILENCE_SECONDS: '15', NARVAL_LOG: 'error' },
  prepare: async () => {
    webhook = await openWebhook()
  },
})
const { api, open } = product
afterAll(async () => {
  for (const fleet of fleets) fleet.die()
  await webhook.close()
})

/** A fleet where all is well, and a rule that tells a path of the receiver of what happens on its site, or everywhere. */
const playOn = async (
  name: string,
  { size = HOSTS, everywhere = false }: { readonly size?: number; readonly everywhere?: boolean } = {},
): Promise<{ fleet: TreeFleet; path: string; ruleId: number }> => {
  const fleet = await createTree(product.server.url, api, { name, size, attempts: ATTEMPTS })
  fleets.push(fleet)
  fleet.live()
  await fleet.say(fleet.names, true)
  await expect.poll(() => states(fleet, fleet.names), SOON).toEqual(['available'])
  const path = `/${name}`
  const settings = { url: `${webhook.url}${path}` }
  const channel = await api.call(notificationChannelRoutes.create, {
    body: { name: `Astreinte ${name}`, kind: 'webhook', enabled: true, settings },
  })
  const rule = await api.call(notificationRuleRoutes.create, {
    body: {
      ...{ name: `Règle ${name}`, enabled: true, severities: ['error', 'warning', 'unknown'] },
      ...{
        kinds: everywhere ? ['probe'] : ['host', 'metric', 'probe', 'link'],
        siteIds: everywhere ? [] : [fleet.siteId],
        hostTypeIds: [],
      },
      ...{ tags: [], period: ALWAYS, waitSeconds: 2, newsMinutes: 1, reminderMinutes: 0 },
      ...{ tellRecovery: true, tellBrief: false, stop: false },
      steps: [{ afterMinutes: 0, untilMinutes: null, accountIds: [], groupIds: [], channelIds: [channel.id] }],
    },
  })
  return { fleet, path, ruleId: rule.id }
}

/** States that some of these hosts are in. */
const states = async ({ hostIds }: TreeFleet, names: readonly string[]): Promise<string[]> => {
  const ids = new Set(names.map(name => hostIds.get(name)))
  const hosts = (await api.call(hostRoutes.list)).filter(({ id }) => ids.has(id))
  return [...new Set(hosts.map(({ state }) => state))]
}
const openIncidents = async (fleet: TreeFleet): Promise<Incident[]> => {
  const own = new Set<number | null>(fleet.hostIds.values())
  const all = await api.call(incidentRoutes.list, { query: { open: 'true' } })
  return all.filter(({ hostId, probeId }) => own.has(hostId) || probeId === fleet.probeId)
}
const kinds = (path: string): unknown[] => webhook.received(path).map(({ type }) => type)

/** Every text that a toast of the page has shown, and how many stood there at most. */
const watchToasts = async (page: Page) => {
  await page.evaluate(() => {
    const seen = new Set<string>()
    const most = { shown: 0 }
    const look = (): void => {
      const toasts = [...document.querySelectorAll('.mantine-Notification-root')]
      most.shown = Math.max(most.shown, toasts.length)
      for (const toast of toasts) seen.add(toast.textContent ?? '')
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    Reflect.set(globalThis, 'toasts', () => ({ texts: [...seen], most: most.shown }))
  })
  return (): Promise<{ texts: string[]; most: number }> => page.evaluate('toasts()')
}

/** Asserts what there is once the core router, the switch and the hosts are all found to have failed. */
const expectOneIncident = async (fleet: TreeFleet, path: string): Promise<Incident> => {
  await expect.poll(() => states(fleet, [fleet.router]), SOON).toEqual(['down'])
  await expect.poll(() => states(fleet, [fleet.switch, ...fleet.hosts]), SOON).toEqual(['unreachable'])
  // A state is answered while it is written: its incident comes with the commit.
  const roots = async () => (await openIncidents(fleet)).filter(({ parentId }) => parentId === null)
  await expect.poll(async () => (await roots()).length, SOON).toBeGreaterThan(0)
  const [incident, ...others] = await roots()
  expect(others).toEqual([])
  if (incident === undefined) throw new Error('no incident')
  expect(incident).toMatchObject({ hostName: fleet.router, severity: 'error' })
  const detail = () => api.call(incidentRoutes.detail, { params: { id: String(incident.id) } })
  const behind = [fleet.switch, ...fleet.hosts].toSorted()
  await expect
    .poll(async () => (await detail()).effects.map(({ hostName }) => hostName).toSorted(), SOON)
    .toEqual(behind)
  const { chain } = await detail()
  expect(chain.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['probe', 'host', 'metric']))
  const causes = chain.filter(({ cause }) => cause)
  expect(causes).toHaveLength(1)
  await expect.poll(() => kinds(path), SOON).toEqual(['problem'])
  expect(JSON.stringify(webhook.received(path))).toContain(fleet.router)
  return incident
}

/** All answers again: each host is available, and the end was told once, to whom the problem was told. */
const expectOneRecovery = async (fleet: TreeFleet, path: string, incident: Incident): Promise<void> => {
  for (const names of [[fleet.router], [fleet.switch], fleet.hosts]) await fleet.say(names, true)
  await expect.poll(() => states(fleet, fleet.names), SOON).toEqual(['available'])
  await expect.poll(() => kinds(path), SOON).toEqual(['problem', 'recovery'])
  expect(await openIncidents(fleet)).toEqual([])
  const deliveries = await api.call(deliveryRoutes.ofIncident, { params: { id: String(incident.id) } })
  await expect.poll(() => deliveries.map(({ kind, state }) => `${kind} ${state}`).toSorted(), SOON).toHaveLength(2)
}

describe('a core router falls, then its switch, then 50 hosts', { timeout: 180_000 }, () => {
  it('is one notification, one incident with its chain and one toast; when all is back, one recovery', async () => {
    const { fleet, path } = await playOn('coeur')
    const { page } = await open('/dashboard/live-view/incident')
    // Joined to the hubs: what comes from now on is heard.
    await page.getByText('En direct').waitFor()
    const toasts = await watchToasts(page)
    for (const names of [[fleet.router], [fleet.switch], fleet.hosts])
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await fleet.say(names, false)
    const incident = await expectOneIncident(fleet, path)
    await expect.poll(async () => (await toasts()).texts.join(), SOON).toContain(fleet.router)
    const { page: why } = await open(`/dashboard/live-view/incident/${incident.id}`)
    await why.getByRole('heading', { name: /Pourquoi est-ce rouge/ }).waitFor()
    await why.getByText(fleet.switch).first().waitFor()
    await why.close()
    await expectOneRecovery(fleet, path, incident)
    const { texts, most } = await toasts()
    expect(texts.filter(text => !text.includes(fleet.router))).toEqual([])
    expect(most).toBeLessThanOrEqual(2)
  })

  it('the same with the hosts seen first: they wait for the word of what they hang on', async () => {
    const { fleet, path } = await playOn('enfants')
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
      for (const names of [fleet.hosts, [fleet.switch], [fleet.router]]) await fleet.say(names, false)
    const incident = await expectOneIncident(fleet, path)
    await expectOneRecovery(fleet, path, incident)
  })

  it('the same during a maintenance: nobody is told, and at its end what did not come back is', async () => {
    const { fleet, path } = await playOn('travaux')
    const other = await playOn('ailleurs', { size: 0 })
    const from = new Date(Date.now() - 1_000).toISOString()
    const to = new Date(Date.now() + 3_600_000).toISOString()
    const { id } = await api.call(maintenanceRoutes.create, {
      body: {
        ...{ comment: 'Remplacement du routeur', schedule: { kind: 'one-off', from, to } },
        ...{ hosts: [fleet.hostIds.get(fleet.router) ?? 0], propagate: true },
      },
    })
    const params = { id: String(id) }
    await expect.poll(async () => (await api.call(maintenanceRoutes.get, { params })).state, SOON).toBe('running')
    for (const names of [[fleet.router], [fleet.switch], fleet.hosts])
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await fleet.say(names, false)
    await expect.poll(() => states(fleet, [fleet.switch, ...fleet.hosts]), SOON).toEqual(['unreachable'])
    const [lost = '', ...back] = fleet.hosts
    for (const names of [[fleet.router], [fleet.switch], back]) await fleet.say(names, true)
    // It is down by itself once what it hangs on, asked again, answers.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await fleet.say([lost], false)
      await fleet.say([fleet.switch], true)
    }
    await expect.poll(() => states(fleet, [lost]), SOON).toEqual(['down'])
    await expect.poll(() => states(fleet, [fleet.router, fleet.switch, ...back]), SOON).toEqual(['available'])
    // What fails elsewhere after all of that is told: there was the time to tell of it too.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) await other.fleet.say([other.fleet.router], false)
    await expect.poll(() => kinds(other.path), SOON).toEqual(['problem'])
    expect(kinds(path)).toEqual([])
    await other.fleet.say([other.fleet.router], true)
    await api.call(maintenanceRoutes.end, { params })
    await expect
      .poll(async () => (await api.call(maintenanceRoutes.runs, { params }))[0]?.report?.broken, SOON)
      .toMatchObject([{ hostId: fleet.hostIds.get(lost) }, {}])
    await expect.poll(() => kinds(path), SOON).toContain('problem')
    expect(JSON.stringify(webhook.received(path))).toContain(lost)
    expect(JSON.stringify(webhook.received(path))).not.toContain(`${fleet.router} `)
    await fleet.say([lost], true)
    await expect.poll(() => kinds(path).at(-1), SOON).toBe('recovery')
  })
})

describe('a probe that dies', { timeout: 180_000 }, () => {
  it('is one incident and one notification, its hosts are unknown without any of their own; its return is one recovery', async () => {
    const { fleet, path, ruleId } = await playOn('muette', { everywhere: true })
    fleet.die()
    await expect.poll(() => states(fleet, fleet.names), { timeout: 60_000 }).toEqual(['unknown'])
    await expect.poll(() => kinds(path), SOON).toEqual(['problem'])
    expect(await openIncidents(fleet)).toMatchObject([{ kind: 'probe', probeId: fleet.probeId, parentId: null }])
    fleet.live()
    await fleet.say(fleet.names, true)
    await expect.poll(() => states(fleet, fleet.names), SOON).toEqual(['available'])
    await expect.poll(() => kinds(path), SOON).toEqual(['problem', 'recovery'])
    expect(await openIncidents(fleet)).toEqual([])
    await api.call(notificationRuleRoutes.delete, { params: { id: String(ruleId) } })
  })
})
