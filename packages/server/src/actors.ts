/** An account as somebody to whom work may be given. */
export interface Actor {
  /** As its account spells it. */
  readonly login: string
  /** First name and last name, else the login. */
  readonly name: string
  readonly enabled: boolean
  /** It must choose its password before it can do anything. */
  readonly firstConnection: boolean
  /** Where it holds the claim that was asked for: `all`, the ids of sites, or `none`: nowhere. */
  readonly acts: 'all' | 'none' | ReadonlySet<number>
}

/** Who may act on incidents, and where; asked of the database each time: a right that is taken away counts at once. */
export interface Actors {
  /** Those of these logins that exist, however they are spelt, by their folded login. */
  among(logins: readonly string[]): Promise<ReadonlyMap<string, Actor>>
  /** All who may act somewhere at this moment, by name. */
  able(): Promise<Actor[]>
}

/** Whether it may act at this moment on what stands on a site; null: on none, which only who sees all does. */
export const mayActOn = ({ enabled, firstConnection, acts }: Actor, siteId: number | null): boolean =>
  enabled && !firstConnection && acts !== 'none' && (acts === 'all' || (siteId !== null && acts.has(siteId)))
