import {
  acknowledgementRoutes,
  type CheckResult,
  hostRoutes,
  type Incident,
  incidentRoutes,
  metricRoutes,
  probeRoutes,
  scannerRoutes,
  siteRoutes,
} from '@narval/contracts'
import type { ApiClient } from './client.ts'
import { enrolWireProbe, type WireProbe } from './wire-probe.ts'

export interface HostileFleet {
  readonly sites: readonly number[]
  readonly hosts: readonly number[]
  readonly scanners: readonly number[]
  /** Availability of each scanner, renamed. */
  readonly metrics: readonly number[]
  /** The host of which a probe named the metrics, by the instances of their keys. */
  readonly namedByProbe: number
  /** Probes that gave themselves hostile names: the first approved, the others waiting. */
  readonly probes: readonly number[]
}

/** So many calls at once: quicker than one by one, gentler than all. */
const AT_ONCE = 8
const forAll = async <T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) results[index] = await run(item, index)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/** A site, a host, a scanner and a metric for each text, which stands in all of their fields by turns. */
const createObjects = async (api: ApiClient, texts: readonly string[], probeId: number) => {
  const short = (index: number, limit: number): string => {
    const fitting = texts.filter(text => text.length <= limit)
    return fitting[index % fitting.length] ?? ''
  }
  const whole = (index: number): string =>
    texts
      .slice(index % texts.length)
      .join('\n')
      .slice(0, 4_000)
  const sites = await forAll(texts, async (name, index) => {
    const body = {
      ...{ name, code: `X${index}`, address: short(index + 1, 200), postalCode: short(index, 20) },
      ...{ city: short(index + 2, 100), country: short(index + 3, 100), instruction: whole(index) },
      ...{ contactName: short(index + 4, 120), contactPhone: short(index, 40) },
    }
    return (await api.call(siteRoutes.create, { body })).id
  })
  const hosts = await forAll(texts, async (name, index) => {
    const body = {
      ...{ name, address: '192.0.2.1', siteId: sites[index] ?? 0, probeId, withPing: false },
      ...{
        tags: [short(index, 40), short(index + 1, 40)],
        description: short(index + 5, 500),
        instruction: whole(index),
      },
    }
    return (await api.call(hostRoutes.create, { body })).id
  })
  const scanners = await forAll(texts, async (name, index) => {
    const parameters = { port: 1, banner: short(index + 6, 200) }
    const body = { name, kind: 'tcp' as const, hostId: hosts[index] ?? 0, attempts: 1, parameters }
    return (await api.call(scannerRoutes.create, { body })).id
  })
  const all = await api.call(metricRoutes.list)
  const metrics = await forAll(scanners, async (scanner, index) => {
    const metric = all.find(one => one.scannerId === scanner && one.key === 'availability')
    if (metric === undefined) throw new Error(`no metric of ${scanner}`)
    const body = { ...metric, name: texts[index] ?? '' }
    return (await api.call(metricRoutes.update, { params: { id: String(metric.id) }, body })).id
  })
  return { sites, hosts, scanners, metrics }
}

/** Probes whose names and versions are hostile. */
const createProbes = (url: string, api: ApiClient, texts: readonly string[]): Promise<WireProbe[]> =>
  forAll(texts, async (name, index) => {
    const { code } = await api.call(probeRoutes.code)
    const probe = await enrolWireProbe(url, code, { name, version: texts[index]?.slice(0, 50) ?? '' })
    if (index === 0) await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
    return probe
  })

/** So many open incidents, once there are. */
const openIncidents = async (api: ApiClient, count: number): Promise<Incident[]> => {
  const deadlineMs = performance.now() + 30_000
  for (;;) {
    const incidents = await api.call(incidentRoutes.list, { query: { open: 'true' } })
    if (incidents.length >= count) return incidents.slice(0, count)
    if (performance.now() > deadlineMs) throw new Error(`only ${incidents.length} incidents`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Puts each text into every stored field that takes it, and into every field that a probe fills in. */
export const createHostileFleet = async (
  url: string,
  api: ApiClient,
  texts: readonly string[],
): Promise<HostileFleet> => {
  const probes = await createProbes(url, api, texts.filter(text => text.length <= 50).slice(0, 12))
  const [probe] = probes
  if (probe === undefined) throw new Error('no probe')
  const objects = await createObjects(api, texts, probe.id)
  const system = await api.call(scannerRoutes.create, {
    body: { name: 'Système', kind: 'system', hostId: objects.hosts[0] ?? 0, parameters: {} },
  })
  const at = Date.now()
  const failures = objects.scanners.map(
    (scanner, index): CheckResult => ({
      ...{ scanner, at, durationMs: 1, values: {} },
      failure: { code: 'protocol', message: texts[index] ?? '' },
    }),
  )
  const named: CheckResult = {
    ...{ scanner: system.id, at, durationMs: 1, failure: null },
    values: Object.fromEntries(texts.slice(0, 24).map(text => [`disk_used_ratio[${text}]`, 0.99])),
  }
  const status = await probe.post(1, [...failures, named])
  if (status !== 204) throw new Error(`the results were answered ${status}`)
  const incidents = await openIncidents(api, 100)
  await forAll(incidents, (incident, index) =>
    api.call(acknowledgementRoutes.acknowledge, {
      params: { id: String(incident.id) },
      body: { comment: texts[index] ?? '' },
    }),
  )
  return { ...objects, namedByProbe: objects.hosts[0] ?? 0, probes: probes.map(one => one.id) }
}
