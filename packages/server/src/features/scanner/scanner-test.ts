import {
  CHECKS,
  type CheckKind,
  type ScannerTest,
  type ScannerTestInput,
  TEST_MARGIN_MS,
  TESTS_AT_ONCE,
  type TestOutcome,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalidField, notFound, Refusal, unavailable } from '../../http/refusal.ts'
import { runnerOf } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { concernsOwnMachine } from '../../monitoring/probe/own-machine.ts'
import { type CheckSource, createCheckMaker, type ProbeCheckDeps } from '../../monitoring/probe/probe-check.ts'
import type { AskProbe } from '../../monitoring/probe/probe-orders.ts'
import { kindOf, type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import { fetchOne } from '../../store/fetch.ts'
import { modelScannerOf, modelsOf } from '../../store/model-changes.ts'
import { LOCAL_PROBE, SITE_PROBES } from '../../store/site-probe.ts'
import { toIso } from '../../store/time.ts'
import { visibleHost } from '../../store/visible.ts'
import { checkedParameters } from './scanner-parameters.ts'
import { testedValues } from './tested-values.ts'

export interface ScannerTestDeps extends ProbeCheckDeps {
  readonly monitoring: Monitoring
  readonly ask: AskProbe
}

/** What is to be run, as far as it is known without its probe. */
interface Draft {
  readonly source: CheckSource
  readonly kind: CheckKind
  /** The saved scanner that it is, or is to become. */
  readonly row: ScannerRow | null
  /** The probe that would run it. */
  readonly usualProbe: number | null
}

/** The id that a check bears which no scanner has yet: probes give it back to nobody. */
const NO_SCANNER = 2_147_483_647

/** « Tester maintenant »: runs a scanner once, saved or not, from a chosen probe; nothing of it is kept. */
export const createScannerTest = (deps: ScannerTestDeps) => {
  const { database, monitoring } = deps
  const running = new Map<number, number>()

  return async (viewer: Viewer, body: ScannerTestInput, signal: AbortSignal): Promise<ScannerTest> => {
    const draft = await draftOf(deps, viewer, body)
    if (CHECKS[draft.kind].runner === 'server')
      throw conflict('Ce genre de contrôle attend qu’on lui envoie ses mesures : il n’y a rien à exécuter.')
    const probe = await probeOf(deps, body.probeId ?? draft.usualProbe)
    requireOnline(monitoring, probe)
    const make = await createCheckMaker(deps, [draft.source])
    const check = make(draft.source, { local: probe.local === 1 })?.check
    if (check === undefined) throw notFound('Ce genre de contrôle n’existe plus.')
    if ((running.get(probe.id) ?? 0) >= TESTS_AT_ONCE)
      throw new Refusal(
        'too-many',
        [`${TESTS_AT_ONCE} essais sont déjà en cours sur cette sonde : attendez leur fin.`],
        {
          retryAfterMs: 2_000,
        },
      )
    running.set(probe.id, (running.get(probe.id) ?? 0) + 1)
    const order = { kind: 'test', check } as const
    const outcome = await deps
      .ask(probe.id, order, { timeoutMs: check.timeoutMs + TEST_MARGIN_MS, signal })
      .finally(() => running.set(probe.id, (running.get(probe.id) ?? 1) - 1))
    if (outcome?.kind === 'refused') throw conflict(outcome.message)
    if (outcome?.kind !== 'test') {
      requireOnline(monitoring, probe)
      throw unavailable(
        `La sonde « ${probe.name} » n’a pas répondu en ${Math.round((check.timeoutMs + TEST_MARGIN_MS) / 1_000)} s.`,
      )
    }
    const models = draft.row === null ? null : await modelsOf(database.db, [draft.row])
    const model = draft.row === null || models === null ? null : modelScannerOf(models, draft.row)
    const parameters: Record<string, unknown> = JSON.parse(draft.source.parameters)
    const entry = monitoring.model.scanners.get(draft.row?.id ?? 0)
    return {
      probe: { id: probe.id, name: probe.name },
      ...figuresOf(outcome, check.timeoutMs),
      ...testedValues(outcome, { kind: draft.kind, parameters, entry, model }),
    }
  }
}
export type ScannerTester = ReturnType<typeof createScannerTest>

const figuresOf = ({ at, durationMs, failure, labels, details }: TestOutcome, timeoutMs: number) => ({
  ...{ at: toIso(at), durationMs, timeoutMs, failure },
  ...{ labels: labels ?? {}, details },
})

/** @throws Refusal when the scanner or host does not exist, or its parameters are wrong. */
const draftOf = async (deps: ScannerTestDeps, viewer: Viewer, body: ScannerTestInput): Promise<Draft> => {
  const row = body.id === undefined ? null : await fetchOne<ScannerRow>(deps.database.db, scannerList(viewer), body.id)
  if (body.id !== undefined && row === null) throw notFound("Ce scanner n'existe pas.")
  const kind = body.kind ?? kindOf(row?.kind ?? '')
  const host = await targetOf(deps, viewer, body.hostId ?? row?.host_id ?? 0)
  if (host === null) throw invalidField('hostId', "Cet équipement n'existe pas.")
  const given = body.parameters ?? JSON.parse(row?.parameters ?? '{}')
  const source: CheckSource = {
    id: row?.id ?? NO_SCANNER,
    kind,
    host_id: host.id,
    host_address: host.address,
    site_id: host.site_id,
    interval_seconds: row?.interval_seconds ?? null,
    retry_interval_seconds: row?.retry_interval_seconds ?? null,
    timeout_ms: body.timeoutMs === undefined ? (row?.timeout_ms ?? null) : body.timeoutMs,
    attempts: row?.attempts ?? null,
    parameters: JSON.stringify(checkedParameters(kind, given)),
  }
  // Who stands in for a silent probe answers for it here too.
  const usualProbe = runnerOf(deps.monitoring.model, {
    probeId: row?.probe_id ?? host.probe_id,
    ownMachine: concernsOwnMachine(kind, host.address, source.parameters),
  })
  return { source, kind, row, usualProbe }
}

interface Target {
  id: number
  address: string
  site_id: number
  probe_id: number | null
}
/** A host with the probe that runs its scanners. */
const targetOf = async (deps: ScannerTestDeps, viewer: Viewer, id: number): Promise<Target | null> => {
  const answer = await sql<Target>`select host.id, host.address, host.site_id,
      coalesce(host.probe_id, chosen.probe_id, ${LOCAL_PROBE}) as probe_id
    from host join site on site.id = host.site_id left join ${SITE_PROBES} chosen on chosen.site_id = host.site_id
    where host.id = ${id} and ${visibleHost(viewer)}`.execute(deps.database.db)
  return answer.rows[0] ?? null
}

interface TestingProbe {
  readonly id: number
  readonly name: string
  readonly local: 0 | 1
}
const probeOf = async ({ database }: ScannerTestDeps, id: number | null): Promise<TestingProbe> => {
  const probe =
    id === null
      ? undefined
      : await database.db.selectFrom('probe').select(['id', 'name', 'local']).where('id', '=', id).executeTakeFirst()
  if (probe !== undefined) return probe
  if (id === null) throw conflict('Aucune sonde n’est chargée de cet équipement : approuvez-en une d’abord.')
  throw invalidField('probeId', "Cette sonde n'existe pas.")
}

const requireOnline = ({ presence }: Monitoring, { id, name }: TestingProbe): void => {
  const state = presence.state(id)
  if (state === 'online') return
  const why = {
    offline: 'est hors ligne : elle n’a pas donné de nouvelles depuis plus d’une minute',
    pending: 'n’est pas encore approuvée',
    revoked: 'est révoquée',
  }[state]
  throw conflict(`La sonde « ${name} » ${why}.`)
}
