import { audit } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { type Model, runnerOf } from '../fleet/model.ts'
import type { Blinding } from '../incident/blinding.ts'
import { incidentLink } from '../incident/incident-commit.ts'
import { closeProbeIncident, openProbeIncident, type ProbeTrouble } from '../incident/probe-incident.ts'
import { insertOutbox, type OutboxEntry, saveAnnounced } from '../monitoring.store.ts'
import type { Publisher } from '../publisher.ts'
import { PROBE_TITLES } from '../texts.ts'
import type { Presence, ProbePresence } from './presence.ts'
import { readBlamedLinks, saveBlamedLink } from './second-opinion.store.ts'

export interface ProbeAlertDeps {
  readonly database: Database
  readonly model: Model
  readonly presence: Presence
  readonly publisher: Pick<Publisher, 'alert' | 'touched' | 'changed'>
  readonly blinding: Pick<Blinding, 'opened' | 'closed'>
  readonly now: () => number
}

/** What people are told of probes themselves, once for all their hosts, and not again after a restart (R19). */
export interface ProbeAlerts {
  load(): Promise<void>
  /** What the database refused is told by the next pass. */
  pass(): Promise<void>
}

export const createProbeAlerts = (deps: ProbeAlertDeps): ProbeAlerts => {
  let blamed = new Set<number>()
  return {
    async load() {
      blamed = await readBlamedLinks(deps.database.db)
    },
    async pass() {
      await announceProbes(deps)
      await announceLinks(deps, blamed)
    },
  }
}

/** One alert when a probe goes silent, one when it is back; none for its hosts. */
const announceProbes = async (deps: ProbeAlertDeps): Promise<void> => {
  const { model, presence, publisher, now } = deps
  for (const probe of presence.probes.values()) {
    const state = presence.state(probe.id)
    if (state !== 'online' && state !== 'offline') {
      if (state === 'revoked' && probe.announced === 'offline') await endRevoked(deps, probe)
      continue
    }
    const before = probe.announced
    // Known before any of its metrics grows stale, but not before the server itself has listened long enough.
    if (state === before) continue
    if (before === null && state === 'offline' && now() - probe.sinceMs < presence.timing.silentAfterMs) continue
    probe.announced = state
    publisher.touched([probe.id])
    if (before === null && state === 'online') continue
    try {
      await tell(deps, probe, 'probe', state === 'offline', probeAlert(probe, state, model, now()), async trx => {
        await saveAnnounced(trx, probe.id, state)
        await auditPresence(trx, probe, state, now())
      })
    } catch (error) {
      // The next pass says it.
      probe.announced = before
      throw error
    }
  }
}

const auditPresence = (trx: Db, { id, name }: ProbePresence, state: 'online' | 'offline', nowMs: number) => {
  const outcome = state === 'online' ? 'success' : 'failure'
  const entry = { kind: 'event', action: `probe-${state}`, outcome, actor: null, address: '' } as const
  return audit(trx, { ...entry, object: `probe ${id}`, detail: { name } }, nowMs)
}

/** The incident, its alert and the memory of it together: a start says nothing twice (R19). */
const tell = async (
  { database, model, publisher, blinding }: ProbeAlertDeps,
  probe: ProbePresence,
  kind: ProbeTrouble['kind'],
  isBad: boolean,
  entry: OutboxEntry,
  remember: (trx: Db) => Promise<unknown>,
): Promise<void> => {
  const { eventKey: key, title, message: text, atMs } = entry
  const trouble = { key, kind, probeId: probe.id, title, text, atMs }
  const told = await database.db.transaction().execute(async trx => {
    await remember(trx)
    const ended = isBad ? null : await closeProbeIncident(trx, trouble)
    const incidentId = isBad ? await openProbeIncident(trx, trouble) : (ended?.id ?? null)
    const link = incidentId === null ? entry.link : incidentLink(incidentId)
    const alert = { ...entry, link, incidentId }
    return { alert, id: await insertOutbox(trx, alert), separated: ended?.separated ?? [] }
  })
  if (!isBad) blinding.closed(kind, probe.id)
  else if (told.alert.incidentId !== null) blinding.opened(kind, probe.id, told.alert.incidentId, atMs)
  followSeparated(model, told.separated)
  if (told.id !== null) publisher.alert({ ...told.alert, id: told.id })
  const ids = told.alert.incidentId === null ? [] : [told.alert.incidentId, ...told.separated]
  if (ids.length > 0) publisher.changed({ entity: 'incident', ids, action: isBad ? 'created' : 'updated' })
}

/** What was merged into an incident that ends stands for itself in memory too. */
const followSeparated = (model: Model, ids: readonly number[]): void => {
  if (ids.length === 0) return
  for (const metric of model.metrics.values())
    if (metric.incidentId !== null && ids.includes(metric.incidentId)) metric.explainedBy = null
}

/** Nothing is expected any more of a probe that was revoked: its silence is no incident. */
const endRevoked = async (deps: ProbeAlertDeps, probe: ProbePresence): Promise<void> => {
  const { database, model, publisher, blinding, now } = deps
  const atMs = now()
  const ended = await database.db.transaction().execute(async trx => {
    await saveAnnounced(trx, probe.id, 'online')
    return closeProbeIncident(trx, {
      ...{ key: `probe-${probe.id}-revoked-${atMs}`, kind: 'probe', probeId: probe.id, atMs },
      ...{ title: PROBE_TITLES.offline(probe.name), text: 'La sonde a été révoquée.' },
    })
  })
  probe.announced = 'online'
  blinding.closed('probe', probe.id)
  if (ended === null) return
  followSeparated(model, ended.separated)
  publisher.changed({ entity: 'incident', ids: [ended.id, ...ended.separated], action: 'updated' })
}

const probeAlert = (probe: ProbePresence, state: 'online' | 'offline', model: Model, nowMs: number): OutboxEntry => {
  const own = [...model.scanners.values()].filter(({ probeId, enabled }) => probeId === probe.id && enabled)
  // What concerns its own machine alone is taken over by nobody.
  const standIn = own.some(scanner => runnerOf(model, scanner) !== probe.id) ? model.standIns.get(probe.id) : undefined
  return {
    eventKey: `probe-${probe.id}-${state}-${probe.lastContactMs}`,
    atMs: nowMs,
    severity: state === 'online' ? 'ok' : 'error',
    type: state === 'online' ? 'Success' : 'Error',
    title: state === 'online' ? PROBE_TITLES.online(probe.name) : PROBE_TITLES.offline(probe.name),
    message:
      state === 'offline'
        ? standIn === undefined
          ? own.length === 0
            ? 'Elle n’a la charge d’aucun équipement.'
            : unknownText(new Set(own.map(({ host }) => host)).size)
          : `Ses scanners sont repris par ${standIn.name}.`
        : standIn === undefined
          ? 'Ses contrôles ont repris.'
          : `${standIn.name} garde ses scanners encore quelques minutes, puis les lui rend.`,
    link: '/probe/edit',
    incidentId: null,
  }
}

const unknownText = (hosts: number): string =>
  hosts === 1
    ? 'Son équipement est inconnu tant qu’elle se tait.'
    : `Ses ${hosts} équipements sont inconnus tant qu’elle se tait.`

/** One alert when hosts that fail for a probe answer another one, one when none does any more; none for those hosts. */
const announceLinks = async (deps: ProbeAlertDeps, blamed: Set<number>): Promise<void> => {
  const { model, presence, publisher, now } = deps
  const failing = new Map<number, string[]>()
  for (const { name, enabled, life } of model.hosts.values()) {
    if (!enabled || life === null || life.state.hardCause !== 'probe-link') continue
    const runner = runnerOf(model, life.scanner)
    if (runner !== null) failing.set(runner, [...(failing.get(runner) ?? []), name])
  }
  for (const probe of presence.probes.values()) {
    const hosts = failing.get(probe.id) ?? []
    const isBlamed = hosts.length > 0
    if (isBlamed === blamed.has(probe.id)) continue
    await tell(deps, probe, 'link', isBlamed, linkAlert(probe, hosts, now()), trx =>
      saveBlamedLink(trx, probe.id, isBlamed),
    )
    if (isBlamed) blamed.add(probe.id)
    else blamed.delete(probe.id)
    publisher.touched([probe.id])
  }
}

/** Hosts that an alert names. */
const NAMED = 3
const linkAlert = (probe: ProbePresence, hosts: readonly string[], nowMs: number): OutboxEntry => {
  const isBlamed = hosts.length > 0
  const more = hosts.length > NAMED ? ` et ${hosts.length - NAMED} de plus` : ''
  const named = `${hosts.slice(0, NAMED).join(', ')}${more}`
  const [fail, are] =
    hosts.length === 1
      ? ['ne lui répond plus mais répond', 'son état est inconnu']
      : ['ne lui répondent plus mais répondent', 'leur état est inconnu']
  return {
    eventKey: `probe-${probe.id}-link-${isBlamed ? 'fault' : 'back'}-${nowMs}`,
    atMs: nowMs,
    severity: isBlamed ? 'error' : 'ok',
    type: isBlamed ? 'Error' : 'Success',
    title: isBlamed ? PROBE_TITLES.linkBlamed(probe.name) : PROBE_TITLES.linkBack(probe.name),
    message: isBlamed
      ? `${named} ${fail} à une autre sonde\u202f: ${are}.`
      : 'Plus aucun équipement ne lui échappe alors qu’il répond à une autre sonde.',
    link: `/probe/edit/${probe.id}`,
    incidentId: null,
  }
}
