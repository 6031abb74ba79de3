import { loadavg } from 'node:os'
import { join } from 'node:path'
import {
  type CheckResult,
  dashboardRoutes,
  hostRoutes,
  probeRoutes,
  scannerRoutes,
  siteRoutes,
} from '@narval/contracts'
import Database from 'better-sqlite3'
import { listenToAlerts } from '../e2e/kit/hub.ts'
import { enrolWireProbe, type WireProbe } from '../e2e/kit/wire-probe.ts'
import { say, timed } from './kit.ts'
import { csvOf, runImport, upload } from './kit-import.ts'
import { sleep } from './kit-load.ts'
import { besides, measuredServer } from './kit-server.ts'

/**
 * A router, 10 switches behind it and so many hosts behind these all fall, the hosts seen first, then come back: how long until
 * every state is right, what is written and told, how long others wait meanwhile. Then the largest fleet, nothing hanging on
 * anything: what a storm without dependencies is.
 */
const SWITCHES = 10
const SIZES = [500, 1_000, 5_000]
const ATTEMPTS = 3
const BATCH = 500
const LIMIT_MS = 120_000
const TABLES = ['incident', 'incident_event', 'incident_effect', 'outbox', 'delivery'] as const

/** All that a ping measures: a metric without a value is unknown, and so is its host. */
const GOOD = { rtt_min: 1, rtt_avg: 1, rtt_max: 1, jitter: 0, loss_ratio: 0 }

const namesOf = (size: number) => ({
  router: ['routeur'],
  switches: Array.from({ length: SWITCHES }, (_, n) => `commutateur-${n}`),
  hosts: Array.from({ length: size }, (_, n) => `srv-${n}`),
})
const rows = (some: readonly string[], parentOf: (n: number) => string): string =>
  csvOf(
    'Nom;Adresse;Site;Équipements parents',
    some.map((name, n) => `${name};192.0.2.1;STORM;${parentOf(n)}`),
  )

const play = async (size: number, hasParents: boolean): Promise<void> => {
  const names = namesOf(size)
  const { server, inside, api, end } = await measuredServer()
  const { code } = await api.call(probeRoutes.code)
  const probe = await enrolWireProbe(server.url, code)
  await api.call(probeRoutes.approve, { params: { id: String(probe.id) } })
  await api.call(siteRoutes.create, { body: { name: 'Tempête', code: 'STORM', probeId: probe.id } })
  const parent = (name: string): string => (hasParents ? name : '')
  for (const file of [
    rows(names.router, () => ''),
    rows(names.switches, () => parent('routeur')),
    rows(names.hosts, n => parent(`commutateur-${n % SWITCHES}`)),
  ])
    await runImport(api, await upload(server, api, 'host', file))
  const hosts = new Map((await api.call(hostRoutes.list)).map(({ id, name }) => [name, id]))
  const scanners = new Map((await api.call(scannerRoutes.list)).map(({ id, hostId }) => [hostId, id]))
  const scannersOf = (some: readonly string[]): number[] => some.map(name => scanners.get(hosts.get(name) ?? 0) ?? 0)
  const order = [names.hosts, names.switches, names.router].map(scannersOf)

  const post = poster(probe)
  const counts = async () => (await api.call(dashboardRoutes.main)).hosts
  const settle = async (isRight: (found: Awaited<ReturnType<typeof counts>>) => boolean): Promise<void> => {
    const endMs = performance.now() + LIMIT_MS
    while (!isRight(await counts())) {
      if (performance.now() > endMs) throw new Error(`never right: ${JSON.stringify(await counts())}`)
      await sleep(10)
    }
  }
  const total = 1 + SWITCHES + size
  await post(order.flat(), true)
  await settle(({ ok }) => ok === total)
  const listener = await listenToAlerts(server.url, api.token)
  const what = hasParents ? 'with dependencies' : 'without dependencies'
  const load = () => `load ${loadavg()[0]?.toFixed(1)}`
  const scene = async (name: string, work: () => Promise<void>, isRight: Parameters<typeof settle>[0]) => {
    await inside.look(server)
    let restMs = 0
    const { ms, longestMs } = await besides(api, async () => {
      await work()
      restMs = await timed(() => settle(isRight))
    })
    await sleep(500)
    const { max, p99, turnCpuMs, cpuMs } = await inside.look(server)
    say(
      `${what}: ${total} hosts ${name}, first result → all right`,
      `${ms.toFixed(0)} ms`,
      `${restMs.toFixed(0)} ms after the last post`,
    )
    say('  event loop, longest turn', `${max.toFixed(0)} ms`, `p99 ${p99.toFixed(1)} ms; ${load()}`)
    say('  the same in CPU time', `${turnCpuMs.toFixed(0)} ms`, `${cpuMs.toFixed(0)} ms in all`)
    say('  a page of hosts meanwhile, longest wait', `${longestMs.toFixed(0)} ms`)
  }
  await scene(
    'fall',
    async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) for (const some of order) await post(some, false)
    },
    hasParents ? ({ error, ok }) => error === 1 && ok === 0 : ({ error }) => error === total,
  )
  say(
    '  incidents open, alerts told',
    `${await openOf(server.folder)}`,
    `${listener.alerts.length} alerts at a hub client`,
  )
  await scene(
    'come back',
    async () => {
      for (const some of order.toReversed()) await post(some, true)
    },
    ({ ok }) => ok === total,
  )
  say('  alerts told in all', `${listener.alerts.length}`)
  await listener.stop()
  say('  rows written in all', rowsOf(server.folder))
  await end()
}

const poster = (probe: WireProbe) => {
  let sequence = 0
  return async (scanners: readonly number[], isGood: boolean): Promise<void> => {
    const values: Record<string, number> = isGood ? GOOD : {}
    for (let from = 0; from < scanners.length; from += BATCH) {
      const results = scanners.slice(from, from + BATCH).map(
        (scanner): CheckResult => ({
          ...{ scanner, at: Date.now(), durationMs: 1, values },
          failure: isGood ? null : { code: 'timeout', message: 'délai dépassé après 2 s' },
        }),
      )
      while ((await probe.post(++sequence, results)) !== 204) await sleep(100)
    }
  }
}

const read = <T>(folder: string, work: (db: Database.Database) => T): T => {
  const db = new Database(join(folder, 'narval.db'), { readonly: true })
  const found = work(db)
  db.close()
  return found
}
const countOf = (db: Database.Database, table: string, where = ''): number =>
  db.prepare<[], { n: number }>(`select count(*) as n from ${table} ${where}`).get()?.n ?? 0
const openOf = (folder: string): number => read(folder, db => countOf(db, 'incident', 'where closed_at is null'))
const rowsOf = (folder: string): string =>
  read(folder, db => TABLES.map(table => `${table} ${countOf(db, table)}`).join(', '))

for (const size of SIZES) await play(size, true)
await play(SIZES.at(-1) ?? 0, false)
