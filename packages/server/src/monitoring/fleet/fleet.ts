import { NO_COUNTS } from '@narval/engine'
import type { Database } from '../../store/database.ts'
import { NO_RULE_ROWS, readRuleRows, refreshRuleRows } from '../../store/rule-rows.ts'
import { countSite, judgeHost } from '../host-roll-up.ts'
import { createRuleBook } from './effective-rules.ts'
import { addHost, addMetric, addScanner, type CollectSettings, createShared } from './fleet-entries.ts'
import { type LinkRow, readFleet, readHosts, readLinks } from './fleet-rows.ts'
import { type HostEntry, lifeMetric, type Model, type SiteEntry } from './model.ts'

/**
 * The model's way from the database: what memory alone knows (last values, when each was heard) is kept. What is there is
 * shown until all of the new is read, and no turn of the event loop is long, so that a change in a fleet of 100,000 metrics
 * is felt by nobody. Nothing may be judged meanwhile.
 */
export interface Fleet {
  /** Everything again. */
  readAll(): Promise<void>
  /** Some hosts again, with their scanners and metrics; those deleted go. False: one stands on a site not known yet. */
  readHosts(hostIds: readonly number[]): Promise<boolean>
}

export const createFleet = (
  { db }: Database,
  model: Model,
  settings: () => CollectSettings,
  now: () => number,
): Fleet => {
  let shared = createShared()
  let said = NO_RULE_ROWS
  let book = createRuleBook(settings(), said, shared.effective)
  return {
    async readAll() {
      const read = readFleet(db)
      const nowMs = now()
      const next: Model = {
        ...{ version: 0, sites: new Map(), hosts: new Map(), scanners: new Map(), metrics: new Map() },
        standIns: model.standIns,
      }
      // What nobody bears any more is forgotten with the old ones.
      shared = createShared()
      said = await readRuleRows(db)
      book = createRuleBook(settings(), said, shared.effective)
      for await (const rows of read.sites())
        for (const { id, name, name_folded } of rows)
          next.sites.set(id, {
            ...{ id, name, folded: name_folded, hosts: new Map(), counts: NO_COUNTS },
            maintenance: model.sites.get(id)?.maintenance ?? null,
          })
      for await (const rows of read.hosts())
        for (const row of rows) addHost(next, row, model.hosts.get(row.id), shared, book)
      for await (const rows of read.scanners())
        for (const row of rows) addScanner(next, row, model.scanners.get(row.id), settings(), book, nowMs)
      for await (const rows of read.metrics())
        for (const row of rows) addMetric(next, row, model.metrics.get(row.id), shared, book, nowMs)
      linkAll(next, await readLinks(db))
      for (const host of next.hosts.values()) settle(host)
      for (const site of next.sites.values()) site.counts = countSite(site)
      model.version += 1
      replace(model.sites, next.sites)
      replace(model.hosts, next.hosts)
      replace(model.scanners, next.scanners)
      replace(model.metrics, next.metrics)
    },
    async readHosts(hostIds) {
      const parts = await readHosts(db, hostIds)
      const links = await readLinks(db, hostIds)
      if (parts.hosts.some(row => !model.sites.has(row.site_id))) return false
      await refreshRuleRows(db, said, hostIds, ownedBy(model, hostIds))
      const nowMs = now()
      model.version += 1
      const known = takeOut(model, hostIds)
      for (const row of parts.hosts) addHost(model, row, known.hosts.get(row.id), shared, book)
      linkAll(model, links)
      for (const row of parts.scanners) addScanner(model, row, known.scanners.get(row.id), settings(), book, nowMs)
      for (const row of parts.metrics) addMetric(model, row, known.metrics.get(row.id), shared, book, nowMs)
      forgetGone(model, known)
      const touched = new Set<SiteEntry>([...known.hosts.values()].map(host => host.site))
      for (const { id } of parts.hosts) {
        const host = model.hosts.get(id)
        if (host === undefined) continue
        settle(host)
        touched.add(host.site)
      }
      for (const site of touched) site.counts = countSite(site)
      return true
    },
  }
}

/** Incidents go with their metrics: what they explained stands for itself, what they cut off is so by nothing. */
const forgetGone = (model: Model, known: Taken): void => {
  const gone = new Set<number | null>()
  for (const { id, incidentId } of known.metrics.values())
    if (incidentId !== null && !model.metrics.has(id)) gone.add(incidentId)
  if (gone.size === 0) return
  for (const metric of model.metrics.values()) if (gone.has(metric.explainedBy)) metric.explainedBy = null
  for (const host of model.hosts.values()) if (gone.has(host.cutBy)) host.cutBy = null
}

/** The scanners and metrics that these hosts have now. */
const ownedBy = (model: Model, hostIds: readonly number[]) => {
  const scanners = hostIds.flatMap(id => [...(model.hosts.get(id)?.scanners.values() ?? [])])
  const metrics = scanners.flatMap(scanner => [...scanner.metrics.values()])
  return { scanners: scanners.map(({ id }) => id), metrics: metrics.map(({ id }) => id) }
}

const settle = (host: HostEntry): void => {
  host.life = lifeMetric(host)
  host.counts = judgeHost(host).counts
}

/** Makes hosts know what they hang on and what hangs on them; what is linked already stays so. */
const linkAll = (model: Model, links: readonly LinkRow[]): void => {
  for (const { host_id, parent_id } of links) {
    const host = model.hosts.get(host_id)
    const parent = model.hosts.get(parent_id)
    if (host === undefined || parent === undefined || host === parent || host.parents.includes(parent)) continue
    host.parents.push(parent)
    parent.children.push(host)
  }
}
const without = (hosts: HostEntry[], gone: HostEntry): void => {
  const index = hosts.indexOf(gone)
  if (index >= 0) hosts.splice(index, 1)
}

const replace = <T>(held: Map<number, T>, next: ReadonlyMap<number, T>): void => {
  held.clear()
  for (const [id, one] of next) held.set(id, one)
}

type Taken = Pick<Model, 'hosts' | 'scanners' | 'metrics'>

/** Removes hosts with all that is theirs, and gives it back. */
const takeOut = (model: Model, hostIds: readonly number[]): Taken => {
  const taken: Taken = { hosts: new Map(), scanners: new Map(), metrics: new Map() }
  for (const id of hostIds) {
    const host = model.hosts.get(id)
    if (host === undefined) continue
    taken.hosts.set(id, host)
    model.hosts.delete(id)
    host.site.hosts.delete(id)
    for (const parent of host.parents) without(parent.children, host)
    for (const child of host.children) without(child.parents, host)
    for (const scanner of host.scanners.values()) {
      taken.scanners.set(scanner.id, scanner)
      model.scanners.delete(scanner.id)
      for (const metric of scanner.metrics.values()) {
        taken.metrics.set(metric.id, metric)
        model.metrics.delete(metric.id)
      }
    }
  }
  return taken
}
