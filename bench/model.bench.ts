import { hostRoutes, monitoringModelRoutes, siteRoutes } from '@narval/contracts'
import type { ApiClient } from '../e2e/kit/client.ts'
import { say } from './kit.ts'
import { besides, measuredServer } from './kit-server.ts'

/**
 * One monitoring model on 1,000 and on 5,000 hosts: given to them, foreseen, changed, undone, taken away with what comes
 * from it; how long other calls wait meanwhile. Baseline: the same calls on a model that no host has.
 */
const SIZES = [1_000, 5_000]
const HOSTS_AT_ONCE = 25

const definition = (errorHigh: number, intervalSeconds: number) => ({
  scanners: [
    {
      item: 'ping',
      name: 'Ping',
      kind: 'ping' as const,
      intervalSeconds,
      metrics: [{ key: 'rtt_avg', thresholds: { errorHigh } }],
    },
    { item: 'web', name: 'Site web', kind: 'http' as const },
  ],
})

const createHosts = async (api: ApiClient, size: number): Promise<void> => {
  const { id } = await api.call(siteRoutes.create, { body: { name: 'Mesure', code: 'MES' } })
  for (let start = 0; start < size; start += HOSTS_AT_ONCE)
    await Promise.all(
      Array.from({ length: HOSTS_AT_ONCE }, (_, index) =>
        api.call(hostRoutes.create, {
          body: { name: `mesure-${start + index}`, address: '192.0.2.1', siteId: id, withPing: false },
        }),
      ),
    )
}

for (const size of SIZES) {
  const { server, inside, api, end } = await measuredServer()
  await createHosts(api, size)
  const step = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await inside.look(server)
    const { ms, longestMs } = await besides(api, work)
    const { max, rssMb } = await inside.look(server)
    say(
      `  ${what}`,
      `${ms.toFixed(0)} ms`,
      `a page of hosts waits ≤ ${longestMs.toFixed(0)} ms; event loop ≤ ${max.toFixed(0)} ms; ${rssMb.toFixed(0)} MiB`,
    )
  }
  const make = (name: string) =>
    api.call(monitoringModelRoutes.create, { body: { name, definition: definition(100, 60) } })
  /** Sets what a model says, on the version that is there. */
  const change = async (id: number, errorHigh: number, intervalSeconds: number, plan?: 'true') => {
    const { name, updatedAt } = await api.call(monitoringModelRoutes.get, { params: { id: String(id) } })
    return api.call(monitoringModelRoutes.update, {
      params: { id: String(id) },
      query: { plan },
      body: { name, updatedAt, definition: definition(errorHigh, intervalSeconds) },
    })
  }
  console.log(`${size} hosts`)
  const unused = await make('Sans équipement')
  const { id } = await make('Mesure')
  const params = { id: String(id) }
  await step('changed, on no host', () => change(unused.id, 50, 30))
  await step('given to all: 2 scanners, 12 metrics each', () =>
    api.call(hostRoutes.bulk, {
      body: { filter: { search: { value: 'mesure' } }, change: { addMonitoringModelIds: [id] } },
    }),
  )
  await step('plan of a threshold', () => change(id, 50, 60, 'true'))
  await step('a threshold changed', () => change(id, 50, 60))
  await step('an interval changed', () => change(id, 50, 30))
  await step('nothing changed', () => change(id, 50, 30))
  const { updatedAt } = await api.call(monitoringModelRoutes.get, { params })
  await step('undone', () => api.call(monitoringModelRoutes.undo, { params, body: { updatedAt } }))
  await step('plan of its deletion', () => api.call(monitoringModelRoutes.delete, { params, query: { plan: 'true' } }))
  await step('deleted with its scanners', () =>
    api.call(monitoringModelRoutes.delete, { params, query: { cascade: 'true' } }),
  )
  await end()
}
