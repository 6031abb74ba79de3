import { verify } from 'node:crypto'
import { type Probe, rotationText } from '@narval/contracts'
import type { ProbeCaller, Viewer } from '../../http/caller.ts'
import { conflict, forbidden, invalidField, unavailable } from '../../http/refusal.ts'
import type { AskProbe } from '../../monitoring/probe/probe-orders.ts'
import { audit } from '../../store/audit.ts'
import type { Database, Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { keyFingerprint, readProbeKey } from './probe-guard.ts'

export interface ProbeKeysDeps {
  readonly database: Database
  readonly now: () => number
  readonly ask: AskProbe
  /** To be called when a key changed, before the answer: the next call is signed by the new one. */
  readonly settle: (id: number) => Promise<Probe>
}

/** How long a probe has to make a key and have it taken. */
export const ROTATION_MS = 20_000

/** Change of a probe's key: asked by a person, done by the probe, which proves that it holds both keys. */
export const createProbeKeys = ({ database, now, ask, settle }: ProbeKeysDeps) => {
  /** Who asked, by probe: a key does not change unasked, since who stole one would lock the probe out. */
  const asked = new Map<number, string>()
  return {
    async renew(viewer: Viewer, probe: Probe, signal: AbortSignal): Promise<Probe> {
      if (probe.state !== 'online')
        throw conflict(`La sonde « ${probe.name} » n’est pas en ligne : sa clé ne peut être renouvelée.`)
      if (asked.has(probe.id)) throw conflict('Le renouvellement de cette clé est déjà demandé.')
      asked.set(probe.id, viewer.login)
      try {
        const outcome = await ask(probe.id, { kind: 'rotate' }, { timeoutMs: ROTATION_MS, signal })
        if (outcome?.kind === 'refused') throw conflict(outcome.message)
        if (outcome?.kind !== 'rotated')
          throw unavailable(`La sonde « ${probe.name} » n’a pas confirmé sa nouvelle clé en ${ROTATION_MS / 1_000} s.`)
      } finally {
        asked.delete(probe.id)
      }
      return settle(probe.id)
    },
    /** Takes the new key of a probe whose call was signed by the one in force. */
    async rotate(caller: ProbeCaller, body: { publicKey: string; proof: string }, address: string): Promise<void> {
      if (caller.state !== 'approved') throw forbidden("Cette sonde n'est pas approuvée.")
      // It was taken, and the probe did not hear of it.
      if (await isKeyOf(database.db, caller.probeId, body.publicKey)) return
      const actor = asked.get(caller.probeId)
      if (actor === undefined) throw conflict('Aucun renouvellement de clé n’est demandé.')
      const key = readProbeKey(body.publicKey)
      if (key === null) throw invalidField('publicKey', 'Une clé publique Ed25519 est attendue.')
      await transaction(database.db, async trx => {
        const row = await trx
          .selectFrom('probe')
          .select(['public_key', 'name'])
          .where('id', '=', caller.probeId)
          .executeTakeFirstOrThrow()
        const text = rotationText(caller.probeId, row.public_key, body.publicKey)
        if (!verify(null, Buffer.from(text), key, Buffer.from(body.proof, 'base64')))
          throw invalidField('proof', 'La nouvelle clé n’est pas prouvée.')
        await requireNewKey(trx, body.publicKey)
        await trx
          .insertInto('probe_old_key')
          .values({ public_key: row.public_key, probe_id: caller.probeId, replaced_at: now() })
          .execute()
        await trx
          .updateTable('probe')
          .set({ public_key: body.publicKey, key_at: now() })
          .where('id', '=', caller.probeId)
          .execute()
        const fingerprint = { before: keyFingerprint(row.public_key), after: keyFingerprint(body.publicKey) }
        const detail = { name: row.name, changes: { fingerprint } }
        const object = `probe ${caller.probeId}`
        await audit(trx, { action: 'probe-rotate', outcome: 'success', actor, address, object, detail }, now())
      })
      await settle(caller.probeId)
    },
  }
}
export type ProbeKeys = ReturnType<typeof createProbeKeys>

const isKeyOf = async (db: Db, id: number, publicKey: string): Promise<boolean> => {
  const row = await db.selectFrom('probe').select('public_key').where('id', '=', id).executeTakeFirst()
  return row?.public_key === publicKey
}

/** @throws when a probe has this key, or had it: a key is of one probe, once (S56). */
export const requireNewKey = async (trx: Db, publicKey: string): Promise<void> => {
  const held = await trx.selectFrom('probe').select('id').where('public_key', '=', publicKey).executeTakeFirst()
  const old = await trx
    .selectFrom('probe_old_key')
    .select('public_key')
    .where('public_key', '=', publicKey)
    .executeTakeFirst()
  if (held !== undefined || old !== undefined) throw conflict('Cette clé est, ou a été, celle d’une sonde.')
}
