import { createHash, randomBytes } from 'node:crypto'
import {
  type DatatableRequest,
  type enrollBody,
  fold,
  PROBE_CODE_MS,
  PROBE_PROTOCOL,
  type Probe,
  type ProbeMoveInput,
  type ResultsBody,
} from '@narval/contracts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Changes } from '../../changes.ts'
import type { ProbeCaller, Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalid, invalidField, notFound, Refusal, stale } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { audit } from '../../store/audit.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database } from '../../store/database.ts'
import { idFilter, type ListSpec, runDatatable } from '../../store/datatable.ts'
import { fetchAll, fetchOne } from '../../store/fetch.ts'
import { fromIso, toIso, toIsoOrNull } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { createProbeDuties, type Settled } from './probe-duties.ts'
import { type ForgetfulProbeGuard, keyFingerprint, readProbeKey, type ServerKey } from './probe-guard.ts'
import { requireNewKey } from './probe-keys.ts'

interface ProbeRow {
  id: number
  name: string
  site_id: number | null
  site_name: string | null
  approval: string
  local: number
  version: string
  address: string
  last_contact_at: number | null
  announced: string | null
  dropped_told: number
  public_key: string
  key_at: number
  created_at: number
  updated_at: number
  updated_by: string | null
}

const probeList: ListSpec = {
  select: sql`probe.id, probe.name, probe.site_id, site.name as site_name, probe.approval, probe.local, probe.version, probe.address,
    probe.last_contact_at, probe.announced, probe.dropped_told, probe.public_key, probe.key_at, probe.created_at, probe.updated_at, probe.updated_by`,
  from: sql`probe left join site on site.id = probe.site_id`,
  visible: sql<boolean>`1 = 1`,
  columns: {
    id: { sort: sql`probe.id` },
    name: { sort: sql`probe.name_folded`, search: sql`probe.name_folded` },
    siteName: { sort: sql`site.name_folded`, search: sql`site.name_folded` },
    state: { sort: sql`probe.approval` },
    version: { sort: sql`probe.version` },
    address: { sort: sql`probe.address`, search: sql`probe.address` },
    lastContact: { sort: sql`probe.last_contact_at` },
    createdAt: { sort: sql`probe.created_at` },
    updatedAt: { sort: sql`probe.updated_at` },
  },
  filters: { id: idFilter(sql`probe.id`), siteId: idFilter(sql`probe.site_id`) },
  order: sql`probe.name_folded`,
  tie: sql`probe.id`,
}

export interface ProbeDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly guard: ForgetfulProbeGuard
  readonly serverKey: ServerKey
  /** Where the server is reached from elsewhere; null: it was not said. */
  readonly publicUrl: string | null
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Last contacts are written at most this often: the list reads the present ones from memory. */
const CONTACT_EVERY_MS = 30_000

export const createProbeService = (deps: ProbeDeps) => {
  const { now, changes, monitoring, guard } = deps
  const { db } = deps.database
  const writtenContact = new Map<number, number>()
  const works = createProbeDuties(deps)

  const shown = (row: ProbeRow): Probe => {
    const presence = monitoring.presence.probes.get(row.id)
    const health = presence?.health ?? null
    const scanners = [...monitoring.model.scanners.values()].filter(scanner => scanner.probeId === row.id)
    return {
      id: row.id,
      name: row.name,
      siteId: row.site_id,
      siteName: row.site_name,
      state: monitoring.presence.state(row.id),
      local: row.local === 1,
      version: health?.version ?? row.version,
      address: row.address,
      fingerprint: keyFingerprint(row.public_key),
      keyAt: toIso(row.key_at),
      lastContact: toIsoOrNull(
        presence !== undefined && presence.lastContactMs > 0 ? presence.lastContactMs : row.last_contact_at,
      ),
      backlog: health?.backlog ?? null,
      lagMs: health?.lagMs ?? null,
      skewMs: presence?.skewMs ?? null,
      checksPerSecond: health?.checksPerSecond ?? null,
      late: health?.late ?? null,
      dropped: health?.dropped ?? null,
      cpuRatio: health?.cpuRatio ?? null,
      memoryBytes: health?.memoryBytes ?? null,
      hosts: new Set(scanners.map(scanner => scanner.host.id)).size,
      scanners: scanners.length,
      createdAt: toIso(row.created_at),
      updatedAt: toIso(row.updated_at),
      updatedBy: row.updated_by,
    }
  }
  const get = async (id: number): Promise<Probe> => {
    const row = await fetchOne<ProbeRow>(db, probeList, id)
    if (row === null) throw notFound("Cette sonde n'existe pas.")
    return shown(row)
  }
  /** Reads the probes that monitoring follows. */
  const loadPresence = async (): Promise<void> => {
    const rows = await fetchAll<ProbeRow>(db, probeList)
    const { probes } = monitoring.presence
    for (const row of rows) {
      const approval = row.approval === 'approved' ? 'approved' : row.approval === 'revoked' ? 'revoked' : 'pending'
      const known = probes.get(row.id)
      if (known !== undefined) Object.assign(known, { approval, name: row.name })
      else
        probes.set(row.id, {
          id: row.id,
          approval,
          name: row.name,
          lastContactMs: row.last_contact_at ?? 0,
          sinceMs: now(),
          health: null,
          skewMs: null,
          announced: row.announced === 'online' || row.announced === 'offline' ? row.announced : null,
          droppedTold: Number(row.dropped_told),
        })
    }
    for (const id of probes.keys()) if (!rows.some(row => row.id === id)) probes.delete(id)
  }
  const settle = async (id: number): Promise<Probe> => {
    guard.forget(id)
    await loadPresence()
    await monitoring.reload()
    changes.emit({ entity: 'probe', ids: [id], action: 'updated' })
    return get(id)
  }
  /** Who runs what is read again, and whoever shows it is told. */
  const settleMoved = async (probeIds: readonly number[], moved: Settled): Promise<void> => {
    await monitoring.reload()
    if (moved.siteIds.length > 0) changes.emit({ entity: 'site', ids: moved.siteIds, action: 'updated' })
    if (moved.scannerIds.length > 0) changes.emit({ entity: 'scanner', ids: moved.scannerIds, action: 'updated' })
    if (moved.hostIds.length > 0) changes.emit({ entity: 'host', ids: moved.hostIds, action: 'updated' })
    if (probeIds.length > 0) changes.emit({ entity: 'probe', ids: probeIds, action: 'updated' })
  }
  const setApproval = async (viewer: Viewer, id: number, approval: 'approved' | 'revoked'): Promise<Probe> => {
    const before = await get(id)
    if (before.local && approval === 'revoked')
      throw conflict('La sonde locale ne peut être révoquée : elle fait partie du serveur.')
    if (before.state === 'revoked' && approval === 'approved')
      throw conflict('Une sonde révoquée doit être enrôlée de nouveau, avec une autre clé.')
    await transaction(db, async trx => {
      const row = await trx.selectFrom('probe').select('approval').where('id', '=', id).executeTakeFirst()
      if (row === undefined || row.approval === approval) return
      await trx
        .updateTable('probe')
        .set({ approval, updated_at: Math.max(now(), fromIso(before.updatedAt) + 1), updated_by: viewer.login })
        .where('id', '=', id)
        .execute()
      const action = approval === 'approved' ? 'probe-approve' : 'probe-revoke'
      const change = { before: row.approval, after: approval }
      const detail = { name: before.name, fingerprint: before.fingerprint, changes: { approval: change } }
      await audit(trx, { action, outcome: 'success', actor: viewer.login, object: `probe ${id}`, detail }, now())
    })
    return settle(id)
  }
  const createCode = async (
    by: string | null,
    approves: boolean,
  ): Promise<{ code: string; expiresAt: string; serverUrl: string | null }> => {
    const secret = randomBytes(18).toString('base64url')
    const expiresMs = now() + PROBE_CODE_MS
    await db.deleteFrom('probe_code').where('expires_at', '<', now()).execute()
    await transaction(db, async trx => {
      await trx
        .insertInto('probe_code')
        .values({
          hash: sha256(secret),
          created_at: now(),
          expires_at: expiresMs,
          used_at: null,
          created_by: by,
          approves: approves ? 1 : 0,
        })
        .execute()
      // The server's own probe asks for one at each of its starts: nobody's act.
      if (by !== null) await audit(trx, { action: 'probe-code', outcome: 'success', actor: by }, now())
    })
    return { code: `${secret}.${deps.serverKey.fingerprint}`, expiresAt: toIso(expiresMs), serverUrl: deps.publicUrl }
  }

  return {
    get,
    loadPresence,
    createCode,
    list: async () => (await fetchAll<ProbeRow>(db, probeList)).map(shown),
    datatable: async (request: DatatableRequest) => {
      const page = await runDatatable<ProbeRow>(deps.database, probeList, request)
      return { ...page, data: page.data.map(shown) }
    },
    lastUpdate: async () => {
      const row = await db
        .selectFrom('probe')
        .select(eb => eb.fn.max('updated_at').as('at'))
        .executeTakeFirst()
      return { lastUpdate: toIsoOrNull(row?.at ?? null) }
    },
    async update(
      viewer: Viewer,
      id: number,
      input: { name: string; siteId: number | null; updatedAt: string },
    ): Promise<Probe> {
      const before = await get(id)
      if (fromIso(before.updatedAt) !== fromIso(input.updatedAt)) throw stale(before, before.updatedBy)
      if (
        input.siteId !== null &&
        (await db.selectFrom('site').select('id').where('id', '=', input.siteId).executeTakeFirst()) === undefined
      )
        throw invalidField('siteId', "Ce site n'existe pas.")
      await transaction(db, async trx => {
        await trx
          .updateTable('probe')
          .set({
            name: input.name,
            name_folded: fold(input.name),
            site_id: input.siteId,
            updated_at: Math.max(now(), fromIso(before.updatedAt) + 1),
            updated_by: viewer.login,
          })
          .where('id', '=', id)
          .execute()
        const [was, is] = [before, input].map(({ name, siteId }) => ({ name, siteId }))
        const entry = { action: 'probe-update', actor: viewer.login, object: `probe ${id}`, name: input.name } as const
        await auditChange(trx, { ...entry, before: was ?? null, after: is ?? null }, now())
      })
      return settle(id)
    },
    settle,
    async move(viewer: Viewer, id: number, input: ProbeMoveInput) {
      const [duties, moved] = await works.move(viewer, await get(id), input)
      if (!input.plan) await settleMoved([id, input.to], moved)
      return { moved: !input.plan, duties }
    },
    async delete(viewer: Viewer, id: number, plan: boolean) {
      const probe = await get(id)
      if (!plan && probe.state !== 'revoked') throw conflict('Seule une sonde révoquée peut être supprimée.')
      const { name, siteId, fingerprint } = probe
      const [duties, left] = await works.remove(viewer, probe, { name, siteId, fingerprint }, plan)
      if (plan) return { deleted: false, duties }
      guard.forget(id)
      await loadPresence()
      await settleMoved([], left)
      await monitoring.failover.load()
      changes.emit({ entity: 'probe', ids: [id], action: 'deleted' })
      return { deleted: true, duties }
    },
    approve: (viewer: Viewer, id: number) => setApproval(viewer, id, 'approved'),
    revoke: (viewer: Viewer, id: number) => setApproval(viewer, id, 'revoked'),
    /** A code works once; the same key enrolled again with a new code is the same probe. */
    async enroll(body: z.output<typeof enrollBody>, address: string) {
      if (body.protocol !== PROBE_PROTOCOL)
        throw invalid([
          `Ce serveur parle la version ${PROBE_PROTOCOL} du protocole des sondes, pas la version ${body.protocol}.`,
        ])
      if (readProbeKey(body.publicKey) === null)
        throw invalidField('publicKey', 'Une clé publique Ed25519 est attendue.')
      const refused = () =>
        new Refusal('unauthenticated', ["Ce code d'enrôlement est inconnu, expiré ou déjà utilisé."])
      const id = await transaction(db, async trx => {
        const hash = sha256(body.code.split('.')[0] ?? '')
        const used = await trx
          .updateTable('probe_code')
          .set({ used_at: now() })
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .where('expires_at', '>', now())
          .executeTakeFirst()
        if (Number(used.numUpdatedRows) !== 1) throw refused()
        const code = await trx.selectFrom('probe_code').selectAll().where('hash', '=', hash).executeTakeFirstOrThrow()
        const known = await trx
          .selectFrom('probe')
          .select(['id', 'approval'])
          .where('public_key', '=', body.publicKey)
          .executeTakeFirst()
        if (known?.approval === 'revoked') throw refused()
        if (known !== undefined) return known.id
        await requireNewKey(trx, body.publicKey)
        const row = await trx
          .insertInto('probe')
          .values({
            name: body.name,
            name_folded: fold(body.name),
            site_id: null,
            approval: code.approves === 1 ? 'approved' : 'pending',
            local: code.approves,
            public_key: body.publicKey,
            key_at: now(),
            version: body.version,
            address,
            last_contact_at: null,
            boot_id: null,
            created_at: now(),
            updated_at: now(),
            updated_by: code.created_by,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const detail = { name: body.name, fingerprint: keyFingerprint(body.publicKey) }
        const entry = { action: 'probe-enroll', outcome: 'success', actor: code.created_by, address } as const
        await audit(trx, { ...entry, object: `probe ${row.id}`, detail }, now())
        return row.id
      })
      const probe = await settle(id)
      return { probe: id, state: probe.state, serverKey: deps.serverKey.publicKey }
    },
    /** Marks a probe as heard; written to the database from time to time. */
    async heard(caller: ProbeCaller): Promise<void> {
      monitoring.presence.heard(caller.probeId)
      if (now() - (writtenContact.get(caller.probeId) ?? 0) < CONTACT_EVERY_MS) return
      writtenContact.set(caller.probeId, now())
      await db.updateTable('probe').set({ last_contact_at: now() }).where('id', '=', caller.probeId).execute()
    },
    async results(caller: ProbeCaller, body: ResultsBody): Promise<void> {
      if (caller.state !== 'approved') throw forbidden("Cette sonde n'est pas approuvée.")
      const arrivedMs = now()
      await monitoring.ingest.accept(caller.probeId, body, arrivedMs)
      monitoring.presence.heard(caller.probeId, body.health, body.sentAt - arrivedMs)
    },
  }
}
export type ProbeService = ReturnType<typeof createProbeService>
