import {
  type CheckCredential,
  DIAGNOSTIC_LIMIT_MS,
  DIAGNOSTICS_AT_ONCE,
  type DiagnoseInput,
  type Diagnosis,
  type DiagnosticTask,
  grants,
  type Probe,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalidField, Refusal, unavailable } from '../../http/refusal.ts'
import { hostCredential } from '../../monitoring/check-credentials.ts'
import type { AskProbe } from '../../monitoring/probe/probe-orders.ts'
import type { SecretBox } from '../../secret-box.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { LOCAL_PROBE, SITE_PROBES } from '../../store/site-probe.ts'
import { toIso } from '../../store/time.ts'
import { visibleHost } from '../../store/visible.ts'

export interface ProbeDiagnoseDeps {
  readonly database: Database
  readonly now: () => number
  readonly secrets: SecretBox
  readonly ask: AskProbe
}

/** Waited for beyond what the probe is allowed: the way there and back. */
const MARGIN_MS = 5_000

/** Tries something out from a probe, for a person who waits; going away ends it there too. */
export const createProbeDiagnose = (deps: ProbeDiagnoseDeps) => {
  const running = new Map<number, number>()
  return async (viewer: Viewer, probe: Probe, body: DiagnoseInput, signal: AbortSignal): Promise<Diagnosis> => {
    if (probe.state !== 'online') throw conflict(`La sonde « ${probe.name} » n’est pas en ligne.`)
    const { task, credential } = await taskOf(deps, viewer, probe, body)
    const count = running.get(probe.id) ?? 0
    if (count >= DIAGNOSTICS_AT_ONCE)
      throw new Refusal(
        'too-many',
        [`${DIAGNOSTICS_AT_ONCE} diagnostics sont déjà en cours sur cette sonde : attendez leur fin.`],
        { retryAfterMs: 2_000 },
      )
    running.set(probe.id, count + 1)
    const limitMs = DIAGNOSTIC_LIMIT_MS[body.kind]
    const order = { kind: 'diagnose', task, limitMs, loopback: probe.local, ...credential } as const
    try {
      const detail = { name: probe.name, ...body }
      const entry = {
        action: 'probe-diagnose',
        outcome: 'success',
        actor: viewer.login,
        object: `probe ${probe.id}`,
        detail,
      } as const
      await audit(deps.database.db, entry, deps.now())
      const outcome = await deps.ask(probe.id, order, { timeoutMs: limitMs + MARGIN_MS, signal })
      if (outcome?.kind === 'refused') throw conflict(outcome.message)
      if (outcome?.kind !== 'diagnosed')
        throw unavailable(`La sonde « ${probe.name} » n’a pas répondu en ${(limitMs + MARGIN_MS) / 1_000} s.`)
      const { durationMs, text, failure } = outcome
      return { probe: { id: probe.id, name: probe.name }, at: toIso(deps.now()), durationMs, text, failure }
    } finally {
      running.set(probe.id, (running.get(probe.id) ?? 1) - 1)
    }
  }
}
export type ProbeDiagnose = ReturnType<typeof createProbeDiagnose>

interface Asked {
  readonly task: DiagnosticTask
  readonly credential: { readonly credential?: CheckCredential }
}

const taskOf = async (deps: ProbeDiagnoseDeps, viewer: Viewer, probe: Probe, body: DiagnoseInput): Promise<Asked> => {
  // What a page says is for those who may write metrics (S50).
  if (body.kind === 'http') return { task: { ...body, body: grants(viewer.claims, 'metric_write') }, credential: {} }
  if (body.kind !== 'snmp') return { task: body, credential: {} }
  const answer = await sql<{
    address: string
    site_id: number
    probe_id: number | null
  }>`select host.address, host.site_id,
      coalesce(host.probe_id, chosen.probe_id, ${LOCAL_PROBE}) as probe_id
    from host join site on site.id = host.site_id left join ${SITE_PROBES} chosen on chosen.site_id = host.site_id
    where host.id = ${body.hostId} and ${visibleHost(viewer)}`.execute(deps.database.db)
  const host = answer.rows[0]
  if (host === undefined) throw invalidField('hostId', "Cet équipement n'existe pas.")
  // The credentials go to this probe: giving them to another than the host's own is for who may move the host to it.
  if (host.probe_id !== probe.id && !grants(viewer.claims, 'host_write'))
    throw forbidden(
      'Cet équipement est confié à une autre sonde : cette action demande le droit « Équipements\u202f: écriture ».',
    )
  const credential = await hostCredential(deps.database.db, deps.secrets, 'snmp', {
    id: body.hostId,
    siteId: host.site_id,
  })
  return { task: { kind: 'snmp', address: host.address, oid: body.oid }, credential: { credential } }
}
