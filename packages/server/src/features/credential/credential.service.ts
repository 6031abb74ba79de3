import {
  type CredentialBody,
  type CredentialKind,
  type CredentialOwner,
  type Credentials,
  neededSecrets,
  type RotationReply,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalid, notFound, stale } from '../../http/refusal.ts'
import type { Seal, SecretBox } from '../../secret-box.ts'
import { audit } from '../../store/audit.ts'
import { changesOf } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import {
  type CredentialRow,
  credentialOwners,
  credentialPlace,
  credentialsOf,
  openSecrets,
} from '../../store/effective-credentials.ts'
import { fromIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { namesSeen, visibleOwner } from '../../store/visible.ts'
import { type Merged, mergeSecrets, toCredentials } from './credential.store.ts'
import { resealAll } from './rotation.store.ts'

export interface CredentialDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly secrets: SecretBox
}
/** Who changes what, as the audit says it. */
export interface Change {
  readonly viewer: Viewer
  readonly address: string
  readonly owner: CredentialOwner
  readonly id: number
}

const TABLES = { host: 'host', model: 'monitoring_model', site: 'site' } as const satisfies Record<
  CredentialOwner,
  string
>
const MISSING = {
  host: "Cet équipement n'existe pas.",
  model: "Ce modèle de supervision n'existe pas.",
  site: "Ce site n'existe pas.",
} as const
const SECRET_NEEDED: Readonly<Record<string, string>> = {
  community: 'Cette version demande une communauté',
  authPassword: 'L’authentification demande un mot de passe',
  privPassword: 'Le chiffrement demande un mot de passe',
  password: 'Un mot de passe est attendu',
}

export const createCredentialService = (deps: CredentialDeps) => {
  const { database, now, changes, secrets } = deps
  const { db } = database
  let rotating = false

  const get = async (viewer: Viewer, owner: CredentialOwner, id: number): Promise<Credentials> => {
    await mustExist(database, db, viewer, owner, id)
    const named = await namesSeen(db, viewer)
    const owners = (await credentialOwners(db, owner, id)).map(one =>
      one.kind === 'site' ? { ...one, name: named(one.id, one.name) } : one,
    )
    return toCredentials(secrets, owners, await credentialsOf(db, owners))
  }

  return {
    get,
    async update({ viewer, address, owner, id }: Change, body: CredentialBody): Promise<Credentials> {
      const place = { owner_kind: owner, owner_id: id, kind: body.kind }
      await secrets.writing(seal =>
        transaction(db, async trx => {
          await mustExist(database, trx, viewer, owner, id)
          const before = await rowOf(trx, owner, id, body.kind)
          if (!isBasedOn(before, body.updatedAt)) throw await staleOf(deps, trx, owner, id, body.kind)
          const merged = mergeSecrets(body, (before === null ? {} : openSecrets(secrets, before)) ?? {})
          requireSecrets(body, merged, before !== null && openSecrets(secrets, before) === null)
          const written = await write(trx, seal, { place, before, merged, login: viewer.login, nowMs: now() })
          if (!written) throw await staleOf(deps, trx, owner, id, body.kind)
          await audit(
            trx,
            {
              action: 'credential-update',
              outcome: 'success',
              actor: viewer.login,
              address,
              object: `${owner} ${id}`,
              detail: {
                kind: body.kind,
                changes: changesOf(before === null ? null : JSON.parse(before.settings), merged.settings),
                secretsGiven: merged.given,
                secretsRemoved: merged.removed,
              },
            },
            now(),
          )
        }),
      )
      changes.emit({ entity: 'credential', ids: [id], action: 'updated' })
      return get(viewer, owner, id)
    },
    async delete({ viewer, address, owner, id }: Change, kind: CredentialKind): Promise<Credentials> {
      await transaction(db, async trx => {
        await mustExist(database, trx, viewer, owner, id)
        const before = await rowOf(trx, owner, id, kind)
        if (before === null) return
        await trx.deleteFrom('credential').where('id', '=', before.id).execute()
        await audit(
          trx,
          {
            action: 'credential-delete',
            outcome: 'success',
            actor: viewer.login,
            address,
            object: `${owner} ${id}`,
            detail: { kind, changes: changesOf(JSON.parse(before.settings), null) },
          },
          now(),
        )
      })
      changes.emit({ entity: 'credential', ids: [id], action: 'deleted' })
      return get(viewer, owner, id)
    },
    /** How many credentials no known key opens: said when the server starts. */
    async countUnreadable(): Promise<number> {
      const rows = await db.selectFrom('credential').selectAll().where('secret', '!=', '').execute()
      return rows.filter(row => openSecrets(secrets, row) === null).length
    },
    /** A new key, every secret sealed again with it, then the keys that none needs any more are forgotten. */
    async rotate(viewer: Viewer, address: string): Promise<RotationReply> {
      if (rotating) throw conflict('Un changement de clé est déjà en cours.')
      rotating = true
      try {
        await secrets.renewKey()
        const { resealed, unreadable, usedKeys } = await resealAll(db, secrets)
        await audit(
          db,
          {
            action: 'secret-rotation',
            outcome: 'success',
            actor: viewer.login,
            address,
            object: 'secret-key',
            detail: { key: secrets.currentKey(), resealed, unreadable },
          },
          now(),
        )
        return { resealed, unreadable, dropped: secrets.dropKeysBut(usedKeys) }
      } finally {
        rotating = false
      }
    },
  }
}
export type CredentialService = ReturnType<typeof createCredentialService>

/** 404 unless it is there and may be seen; in a transaction it stays there until its end. */
const mustExist = async (
  { dialect }: Database,
  db: Db,
  viewer: Viewer,
  owner: CredentialOwner,
  id: number,
): Promise<void> => {
  // Models stand on no site: they are for all.
  const visible = owner === 'model' ? sql<boolean>`1 = 1` : visibleOwner(viewer, owner)
  const query = db.selectFrom(TABLES[owner]).select('id').where('id', '=', id).where(visible)
  const found = await (dialect === 'postgres' && db.isTransaction ? query.forKeyShare() : query).executeTakeFirst()
  if (found === undefined) throw notFound(MISSING[owner])
}

const rowOf = async (db: Db, owner: CredentialOwner, id: number, kind: CredentialKind): Promise<CredentialRow | null> =>
  (await db
    .selectFrom('credential')
    .selectAll()
    .where('owner_kind', '=', owner)
    .where('owner_id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()) ?? null

/** Left out: whatever is there is replaced; null: nothing was there when the form was filled. */
const isBasedOn = (before: CredentialRow | null, updatedAt: string | null | undefined): boolean =>
  updatedAt === undefined || (updatedAt === null ? null : fromIso(updatedAt)) === (before?.updated_at ?? null)

const staleOf = async (
  { secrets }: CredentialDeps,
  db: Db,
  owner: CredentialOwner,
  id: number,
  kind: CredentialKind,
) => {
  const row = await rowOf(db, owner, id, kind)
  const self = { kind: owner, id, name: '' }
  const { own } = toCredentials(secrets, [self], row === null ? [] : [row])[kind]
  return stale(own, own?.updatedBy ?? null)
}

/** What is needed and neither given nor kept; where what is kept can't be read, nothing is kept of it. */
const requireSecrets = (body: CredentialBody, merged: Merged, unreadable: boolean): void => {
  const missing = neededSecrets(body).filter(name => merged.secrets[name] === undefined)
  if (missing.length === 0) return
  const because = unreadable ? ' : celui qui est enregistré est illisible, saisissez-le de nouveau' : ''
  const fields = Object.fromEntries(
    missing.map(name => [`settings.${name}`, `${SECRET_NEEDED[name] ?? 'Champ requis'}${because}`]),
  )
  throw invalid(
    Object.values(fields).map(sentence => `${sentence}.`),
    fields,
  )
}

interface Write {
  readonly place: { readonly owner_kind: CredentialOwner; readonly owner_id: number; readonly kind: CredentialKind }
  readonly before: CredentialRow | null
  readonly merged: Merged
  readonly login: string
  readonly nowMs: number
}

/** False when somebody else wrote it meanwhile. */
const write = async (trx: Db, seal: Seal, { place, before, merged, login, nowMs }: Write): Promise<boolean> => {
  const { secrets, settings } = merged
  const columns = {
    settings: JSON.stringify(settings),
    secret: Object.keys(secrets).length === 0 ? '' : seal(JSON.stringify(secrets), credentialPlace(place)),
    updated_by: login,
  }
  if (before === null) {
    const made = await trx
      .insertInto('credential')
      .values({ ...place, ...columns, created_at: nowMs, updated_at: nowMs })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    return Number(made.numInsertedOrUpdatedRows ?? 0) === 1
  }
  const changed = await trx
    .updateTable('credential')
    .set({ ...columns, updated_at: Math.max(nowMs, before.updated_at + 1) })
    .where('id', '=', before.id)
    .where('updated_at', '=', before.updated_at)
    .executeTakeFirst()
  return Number(changed.numUpdatedRows) === 1
}
