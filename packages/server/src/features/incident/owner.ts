import { type ActedObject, CLAIM_TEXTS, fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, type Actors, mayActOn } from '../../actors.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalidField } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Db } from '../../store/database.ts'
import { seesSite } from '../../store/visible.ts'
import type { IncidentRow } from './incident.store.ts'

const whoOf = ({ login }: Actor): string => `Le compte «\u202f${login}\u202f»`

/** Why an account can not have any incident, in French; null: it can have some. */
const accountFault = (actor: Actor): string | null => {
  if (!actor.enabled) return `${whoOf(actor)} est désactivé.`
  if (actor.firstConnection) return `${whoOf(actor)} n’a pas encore fait sa première connexion.`
  return actor.acts === 'none'
    ? `${whoOf(actor)} n’a pas le droit «\u202f${CLAIM_TEXTS.incident_write.label}\u202f».`
    : null
}

/** Why it can not have one of this site; null: it can. */
export const siteFault = (
  actor: Actor,
  { id, name }: { readonly id: number | null; readonly name: string | null },
): string | null => {
  if (mayActOn(actor, id)) return null
  const where = name === null ? 'ce qui n’est d’aucun site' : `le site «\u202f${name}\u202f»`
  return `${whoOf(actor)} n’a pas le droit d’agir sur ${where}.`
}

/** @throws Refusal (400) that says why nobody of this login can have any incident. */
export const ownerOf = async (actors: Actors, login: string): Promise<Actor> => {
  const actor = (await actors.among([login])).get(fold(login))
  const fault = actor === undefined ? 'Ce compte n’existe pas.' : accountFault(actor)
  if (actor === undefined || fault !== null) throw invalidField('owner', fault ?? '')
  return actor
}

/** Whether nobody is in charge of an open incident, though it has an owner who could act once. */
export const isOwnerLost = (
  { owner, closed_at, site_id }: Pick<IncidentRow, 'owner' | 'closed_at' | 'site_id'>,
  owners: ReadonlyMap<string, Actor>,
): boolean => {
  if (owner === null || closed_at !== null) return false
  const actor = owners.get(fold(owner))
  return actor === undefined || !mayActOn(actor, site_id)
}

/** The condition of rows of `incident` and `site` that nobody is in charge of, whether or not they name an owner. */
export const inNobodysCharge = async (db: Db, actors: Actors): Promise<RawBuilder<boolean>> => {
  const named = await db
    .selectFrom('incident')
    .select('owner')
    .distinct()
    .where('owner', 'is not', null)
    .where('closed_at', 'is', null)
    .execute()
  const logins = named.flatMap(({ owner }) => owner ?? [])
  const owners = await actors.among(logins)
  const lost = logins.flatMap(login => {
    const actor = owners.get(fold(login))
    const isOut = actor === undefined || accountFault(actor) !== null || actor.acts === 'none'
    if (isOut || (actor.acts !== 'all' && actor.acts.size === 0)) return sql`incident.owner = ${login}`
    if (actor.acts === 'all') return []
    return sql`(incident.owner = ${login} and (site.id is null or site.id not in (${sql.join([...actor.acts])})))`
  })
  const without = lost.length === 0 ? sql`` : sql` or (incident.closed_at is null and (${sql.join(lost, sql` or `)}))`
  return sql<boolean>`(incident.owner is null${without})`
}

/** What owners are asked for: one thing, or many. */
export interface OwnersOf {
  readonly of: ActedObject
  readonly id: number
}

/** The accounts that may be given what is meant: of one thing those that act on its site, of many those that act anywhere. */
export const ownersFor = async (
  actors: Actors,
  viewer: Viewer,
  site: number | null | undefined,
): Promise<{ login: string; name: string }[]> => {
  const sees = seesSite(viewer)
  const fits = (actor: Actor): boolean =>
    site !== undefined
      ? mayActOn(actor, site)
      : // Who acts only where the viewer sees nothing is nobody to give to.
        actor.acts === 'all' || (actor.acts !== 'none' && [...actor.acts].some(sees))
  return (await actors.able()).filter(fits).map(({ login, name }) => ({ login, name }))
}

/** The site of an object that is in memory and may be seen; undefined: there is none. */
export const siteOfObject = (
  { model }: Pick<Monitoring, 'model'>,
  viewer: Viewer,
  { of, id }: OwnersOf,
): number | undefined => {
  const host = of === 'host' ? model.hosts.get(id) : model.metrics.get(id)?.scanner.host
  const site = of === 'site' ? model.sites.get(id)?.id : host?.site.id
  return site !== undefined && seesSite(viewer)(site) ? site : undefined
}
