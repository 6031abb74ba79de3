import { type ActedObject, CLAIM_TEXTS, fold } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import { type ActedOn, type Actor, type Actors, mayActOn } from '../../actors.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalidField } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { Db } from '../../store/database.ts'
import { inPlace, seesHost, seesSite, within } from '../../store/visible.ts'
import type { IncidentRow } from './incident.store.ts'

/** What acting on an incident is acting on. */
export const actedOn = ({ site_id, host_tags }: Pick<IncidentRow, 'site_id' | 'host_tags'>): ActedOn => ({
  siteId: site_id,
  tags: host_tags ?? '',
})

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
  row: Pick<IncidentRow, 'site_id' | 'site_name' | 'host_name' | 'host_tags'>,
): string | null => {
  if (mayActOn(actor, actedOn(row))) return null
  const { site_name: site, host_name: host } = row
  const where =
    site === null
      ? 'ce qui n’est d’aucun site'
      : actor.acts !== 'all' && actor.acts !== 'none' && actor.acts.tags.size > 0 && host !== null
        ? `l’équipement «\u202f${host}\u202f»`
        : `le site «\u202f${site}\u202f»`
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
  { owner, closed_at, ...row }: Pick<IncidentRow, 'owner' | 'closed_at' | 'site_id' | 'host_tags'>,
  owners: ReadonlyMap<string, Actor>,
): boolean => {
  if (owner === null || closed_at !== null) return false
  const actor = owners.get(fold(owner))
  return actor === undefined || !mayActOn(actor, actedOn(row))
}

/** The condition of rows of `incident`, `host` and `site` that nobody is in charge of, whether or not they name an owner. */
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
    if (isOut) return sql`incident.owner = ${login}`
    if (actor.acts === 'all') return []
    return sql`(incident.owner = ${login} and (site.id is null or not ${inPlace(actor.acts, sql`site.id`, sql`host.tags_folded`)}))`
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
  { model }: Pick<Monitoring, 'model'>,
  viewer: Viewer,
  on: ActedOn | undefined,
): Promise<{ login: string; name: string }[]> => {
  const [sees, hosts] = [seesHost(viewer), [...model.hosts.values()]]
  // Who acts only where the viewer sees nothing is nobody to give to.
  const meets = (acts: Actor['acts']): boolean =>
    acts === 'all' ||
    (acts !== 'none' && ([...acts.sites].some(seesSite(viewer)) || hosts.filter(within(acts)).some(sees)))
  const fits = (actor: Actor): boolean => (on === undefined ? meets(actor.acts) : mayActOn(actor, on))
  return (await actors.able()).filter(fits).map(({ login, name }) => ({ login, name }))
}

/** What acting on an object that is in memory is acting on; undefined: there is none that may be seen. */
export const placeOfObject = (
  { model }: Pick<Monitoring, 'model'>,
  viewer: Viewer,
  { of, id }: OwnersOf,
): ActedOn | undefined => {
  if (of === 'site') return model.sites.has(id) && seesSite(viewer)(id) ? { siteId: id, tags: '' } : undefined
  const host = of === 'host' ? model.hosts.get(id) : model.metrics.get(id)?.scanner.host
  return host !== undefined && seesHost(viewer)(host) ? { siteId: host.site.id, tags: host.facts.tags } : undefined
}
