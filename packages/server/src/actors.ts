import type { Place } from './http/caller.ts'
import { within } from './store/visible.ts'

/** An account as somebody to whom work may be given. */
export interface Actor {
  /** As its account spells it. */
  readonly login: string
  /** First name and last name, else the login. */
  readonly name: string
  readonly enabled: boolean
  /** It must choose its password before it can do anything. */
  readonly firstConnection: boolean
  /** Where it holds the claim that was asked for; `none`: nowhere. */
  readonly acts: 'all' | 'none' | Place
}

/** Who may act on incidents, and where; asked of the database each time: a right that is taken away counts at once. */
export interface Actors {
  /** Those of these logins that exist, however they are spelt, by their folded login. */
  among(logins: readonly string[]): Promise<ReadonlyMap<string, Actor>>
  /** All who may act somewhere at this moment, by name. */
  able(): Promise<Actor[]>
}

/** What is acted on: the site where it stands, null: none; and the tags of its host (`tags_folded`), '' where it has none. */
export interface ActedOn {
  readonly siteId: number | null
  readonly tags: string
}

/** Whether it may act at this moment on something; on what stands on no site only who sees all does. */
export const mayActOn = ({ enabled, firstConnection, acts }: Actor, { siteId, tags }: ActedOn): boolean =>
  enabled &&
  !firstConnection &&
  acts !== 'none' &&
  (acts === 'all' || (siteId !== null && within(acts)({ site: { id: siteId }, facts: { tags } })))
