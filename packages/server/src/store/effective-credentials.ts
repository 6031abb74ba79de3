import type { CredentialKind, CredentialOrigin, CredentialOwner } from '@narval/contracts'
import { type Selectable, sql } from 'kysely'
import type { SecretBox } from '../secret-box.ts'
import type { Db } from './database.ts'
import type { CredentialTable } from './tables/credential.ts'

export type CredentialRow = Selectable<CredentialTable>
/** An owner by its kind and id, as a text: `site 12`. */
type OwnerKey = string
const keyOf = (kind: string, id: number): OwnerKey => `${kind} ${id}`

/** Levels of sites above a host that are looked at. */
const LEVELS = 50

/** The place to which the secrets of a credential are bound. */
export const credentialPlace = (row: Pick<CredentialRow, 'owner_kind' | 'owner_id' | 'kind'>): string =>
  `${row.owner_kind}:${row.owner_id}:${row.kind}`

/** The secrets of a credential by name; null when no known key opens them, or when they were put there by a copy. */
export const openSecrets = (box: SecretBox, row: CredentialRow): Readonly<Record<string, string>> | null => {
  if (row.secret === '') return {}
  const text = box.open(row.secret, credentialPlace(row))
  return text === null ? null : JSON.parse(text)
}

/**
 * Whose credentials count for an owner, the nearest first: for a host itself, its monitoring models in order, its site
 * and the sites above; for a site itself and the sites above; for a model itself. Empty when it does not exist.
 */
export const credentialOwners = async (db: Db, kind: CredentialOwner, id: number): Promise<CredentialOrigin[]> => {
  if (kind === 'site') return sitesFrom(db, id)
  const table = kind === 'host' ? 'host' : 'monitoring_model'
  const self = await db.selectFrom(table).select(['id', 'name']).where('id', '=', id).executeTakeFirst()
  if (self === undefined) return []
  const own: CredentialOrigin = { kind, ...self }
  if (kind === 'model') return [own]
  const host = await db.selectFrom('host').select('site_id').where('id', '=', id).executeTakeFirst()
  const models = await db
    .selectFrom('host_monitoring_model')
    .innerJoin('monitoring_model', 'monitoring_model.id', 'host_monitoring_model.model_id')
    .select(['monitoring_model.id', 'monitoring_model.name'])
    .where('host_id', '=', id)
    .orderBy('position')
    .orderBy('model_id')
    .execute()
  const sites = host === undefined ? [] : await sitesFrom(db, host.site_id)
  return [own, ...models.map(model => ({ kind: 'model' as const, ...model })), ...sites]
}

const sitesFrom = async (db: Db, id: number): Promise<CredentialOrigin[]> => {
  const chain = await sql<{ id: number; name: string }>`with recursive up(id, name, parent_id, level) as (
      select id, name, parent_id, 1 from site where id = ${id}
      union all select site.id, site.name, site.parent_id, up.level + 1 from site join up on site.id = up.parent_id where up.level < ${LEVELS})
    select id, name from up order by level`.execute(db)
  return chain.rows.map(site => ({ kind: 'site', id: site.id, name: site.name }))
}

/** The credentials of these owners. */
export const credentialsOf = async (db: Db, owners: readonly CredentialOrigin[]): Promise<CredentialRow[]> => {
  const found = await Promise.all(
    [...Map.groupBy(owners, owner => owner.kind)].map(([kind, some]) =>
      db
        .selectFrom('credential')
        .selectAll()
        .where('owner_kind', '=', kind)
        .where(
          'owner_id',
          'in',
          some.map(owner => owner.id),
        )
        .execute(),
    ),
  )
  return found.flat()
}

/** Which credential of a kind is in force for a host of a site; the same order as `credentialOwners`, for a whole fleet. */
export type Inheritance = (hostId: number, siteId: number) => CredentialRow | null

export const readInheritance = async (db: Db, kind: CredentialKind): Promise<Inheritance> => {
  const rows = await db.selectFrom('credential').selectAll().where('kind', '=', kind).execute()
  const byOwner = new Map(rows.map(row => [keyOf(row.owner_kind, row.owner_id), row]))
  if (rows.length === 0) return () => null
  const sites = await db.selectFrom('site').select(['id', 'parent_id']).execute()
  const parents = new Map(sites.map(site => [site.id, site.parent_id]))
  const links = await db
    .selectFrom('host_monitoring_model')
    .select(['host_id', 'model_id'])
    .orderBy('position')
    .orderBy('model_id')
    .execute()
  const models = Map.groupBy(links, link => link.host_id)
  const ofSites = (siteId: number): CredentialRow | null => {
    let current: number | null = siteId
    for (let level = 0; current !== null && level < LEVELS; level += 1) {
      const row = byOwner.get(keyOf('site', current))
      if (row !== undefined) return row
      current = parents.get(current) ?? null
    }
    return null
  }
  return (hostId, siteId) => {
    const own = byOwner.get(keyOf('host', hostId))
    if (own !== undefined) return own
    for (const { model_id } of models.get(hostId) ?? []) {
      const row = byOwner.get(keyOf('model', model_id))
      if (row !== undefined) return row
    }
    return ofSites(siteId)
  }
}

/** A monitoring model that is deleted takes its credentials along; `owned-deletion.ts` does so for sites and hosts. */
export const deleteModelCredentials = async (trx: Db, id: number): Promise<void> => {
  await trx.deleteFrom('credential').where('owner_kind', '=', 'model').where('owner_id', '=', id).execute()
}
