import type { IncidentDetail } from '@narval/contracts'
import { formatDateTime } from '../../lib/format.ts'
import { fr } from './fr.ts'

type Effect = IncidentDetail['effects'][number]

export interface EffectHost {
  readonly hostId: number
  readonly hostName: string
  /** Start of the stretch that lasts; null: it can be reached again. */
  readonly since: string | null
  /** How long each of its ended stretches lasted, the oldest first. */
  readonly endedMs: readonly number[]
}

/** The ended stretches of one host, the oldest first. */
export const endedStretches = (
  effects: readonly Effect[],
  hostId: number,
): readonly { since: string; until: string }[] =>
  effects
    .flatMap(({ hostId: of, since, until }) => (of === hostId && until !== null ? [{ since, until }] : []))
    .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))

/** Effects of an incident by host, in the order of their first line: one that fell twice is one host. */
export const effectHosts = (effects: readonly Effect[]): readonly EffectHost[] => {
  const byHost = new Map<number, Effect[]>()
  for (const effect of effects) {
    const own = byHost.get(effect.hostId)
    if (own === undefined) byHost.set(effect.hostId, [effect])
    else own.push(effect)
  }
  return [...byHost].map(([hostId, stretches]) => ({
    hostId,
    hostName: stretches[0]?.hostName ?? '',
    since: stretches.find(({ until }) => until === null)?.since ?? null,
    endedMs: stretches
      .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))
      .flatMap(({ since, until }) => (until === null ? [] : [Date.parse(until) - Date.parse(since)])),
  }))
}

/** « le 22/11/2026 de 12:11:21 à 13:29:44 », or from one day to another. */
export const stretchText = ({ since, until }: { readonly since: string; readonly until: string }): string => {
  const [from, to] = [formatDateTime(since), formatDateTime(until)]
  const [day = '', begin = ''] = from.split(' ')
  const [lastDay, end = ''] = to.split(' ')
  return day === lastDay ? fr.effectSpanOfDay(day, begin, end) : fr.effectSpan(from, to)
}
