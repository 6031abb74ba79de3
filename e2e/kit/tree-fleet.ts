import { type CheckResult, hostRoutes, probeRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import type { ApiClient } from './client.ts'
import { enrolWireProbe } from './wire-probe.ts'

/** A core router, a switch behind it and hosts behind that, on a site and with a probe of their own. */
export interface TreeFleet {
  readonly siteId: number
  readonly probeId: number
  /** Names, the router first, then the switch. */
  readonly names: readonly string[]
  readonly hostIds: ReadonlyMap<string, number>
  readonly router: string
  readonly switch: string
  readonly hosts: readonly string[]
  /** The probe says of each whether it answers. */
  say(names: readonly string[], isGood: boolean): Promise<void>
  /** The probe is heard of every few seconds as long as it lives. */
  live(): void
  die(): void
}

const HEARTBEAT_MS = 4_000
/** Nothing of it is to grow stale while other scenes are played. */
const INTERVAL_S = 3_600

export const createTree = async (
  url: string,
  api: ApiClient,
  { name, size, attempts }: { readonly name: string; readonly size: number; readonly attempts: number },
): Promise<TreeFleet> => {
  const { code } = await api.call(probeRoutes.code)
  const probe = await enrolWireProbe(url, code, { name: `Sonde ${name}` })
  await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
  const site = await api.call(siteRoutes.create, { body: { name, code: name.toUpperCase() } })
  const hostIds = new Map<string, number>()
  const scanners = new Map<string, number>()
  const add = async (host: string, parent?: string): Promise<string> => {
    const parentIds = parent === undefined ? [] : [hostIds.get(parent) ?? 0]
    const body = { name: host, address: '127.0.0.1', siteId: site.id, withPing: false, parentIds }
    const { id: hostId } = await api.call(hostRoutes.create, { body })
    const scanner = await api.call(scannerRoutes.create, {
      body: {
        ...{ name: 'SSH', kind: 'tcp' as const, hostId, probeId: probe.id, parameters: { port: 22 } },
        ...{ intervalSeconds: INTERVAL_S, retryIntervalSeconds: 5, timeoutMs: 1_000, attempts },
      },
    })
    hostIds.set(host, hostId)
    scanners.set(host, scanner.id)
    return host
  }
  const router = await add(`routeur-${name}`)
  const middle = await add(`commutateur-${name}`, router)
  const hosts: string[] = []
  for (let n = 1; n <= size; n += 1) hosts.push(await add(`srv-${name}-${n}`, middle))

  let sequence = 0
  let lastMs = 0
  let chain = Promise.resolve(204)
  let beating: NodeJS.Timeout | null = null
  // One at a time: the next is posted once the one before was taken.
  const post = (results: readonly CheckResult[]): Promise<number> => {
    chain = chain.then(() => probe.post(++sequence, results))
    return chain
  }
  const die = (): void => {
    if (beating !== null) clearInterval(beating)
    beating = null
  }
  return {
    ...{
      siteId: site.id,
      probeId: probe.id,
      names: [router, middle, ...hosts],
      hostIds,
      router,
      switch: middle,
      hosts,
    },
    async say(names, isGood) {
      // Each check is younger than the one before.
      lastMs = Math.max(lastMs + 1, Date.now())
      const values: Record<string, number> = isGood ? { connect_time: 2 } : {}
      const results = names.map(host => ({
        ...{ scanner: scanners.get(host) ?? 0, at: lastMs, durationMs: 1 },
        failure: isGood ? null : { code: 'timeout' as const, message: 'Pas de réponse après 1 s.' },
        values,
      }))
      const status = await post(results)
      if (status !== 204) throw new Error(`a post answered ${status}`)
    },
    live() {
      die()
      beating = setInterval(() => void post([]), HEARTBEAT_MS)
    },
    die,
  }
}
