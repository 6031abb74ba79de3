import { randomInt } from 'node:crypto'
import { type CheckResult, hostRoutes, probeRoutes, type Scanner, scannerRoutes, siteRoutes } from '@narval/contracts'
import { type ApiClient, signIn } from '../e2e/kit/client.ts'
import { freePort, type RunningServer, startServer, stopServer } from '../e2e/kit/server.ts'
import { enrolWireProbe, type WireProbe } from '../e2e/kit/wire-probe.ts'

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Making a large fleet takes its time beside other work. */
const READY_MS = 300_000

/** A server on this folder with the demonstration's fleet of so many hosts, started again once it was made. */
export const demoServer = async (
  folder: string,
  hosts: number,
  more: Readonly<Record<string, string>>,
): Promise<{ server: RunningServer; api: ApiClient }> => {
  const env = { NARVAL_DEMO: 'on', NARVAL_DEMO_HOSTS: String(hosts), NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' }
  const port = await freePort()
  const first = await startServer(folder, port, { ...env, ...more }, READY_MS)
  const api = await signIn(first.url)
  while ((await api.call(hostRoutes.datatable.get)).recordsTotal < hosts) await sleep(200)
  await stopServer(first)
  const server = await startServer(folder, port, { ...env, ...more }, READY_MS)
  return { server, api: await signIn(server.url) }
}

export interface Taken {
  readonly probe: WireProbe
  readonly scanners: readonly Scanner[]
}
/** Gives all sites to a probe of ours, so that every scanner is its to run. */
export const takeOver = async (server: RunningServer, api: ApiClient): Promise<Taken> => {
  const { code } = await api.call(probeRoutes.code)
  const probe = await enrolWireProbe(server.url, code)
  await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
  for (const site of await api.call(siteRoutes.list))
    await api.call(siteRoutes.update, { params: { id: String(site.id) }, body: { ...site, probeId: probe.id } })
  const scanners = (await api.call(scannerRoutes.list)).filter(scanner => scanner.kind === 'tcp')
  return { probe, scanners }
}

/** Each result carries a value and the availability that comes with it: two values. */
export const resultsOf = (scanners: readonly Scanner[], from: number, count: number, at: number): CheckResult[] =>
  Array.from({ length: count }, (_, index) => {
    const scanner = scanners[(from + index) % scanners.length]
    return {
      scanner: scanner?.id ?? 0,
      at,
      durationMs: 3,
      failure: null,
      values: { connect_time: randomInt(900) / 1e3 },
    }
  })
