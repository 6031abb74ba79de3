import type { MetricRule, MetricState } from './metric-state.ts'

/** What another probe said of a host whose life test fails: that it answers there, or fails there too. */
export const OPINION_VERDICTS = ['answers', 'fails'] as const
export type OpinionVerdict = (typeof OPINION_VERDICTS)[number]

export interface Opinion {
  /** When it was recorded, epoch ms of the server: it weighs on what arrives after it, in a replay too. */
  readonly atMs: number
  /** `problemSinceMs` of the failure that it was asked about. */
  readonly problemMs: number
  readonly verdict: OpinionVerdict
}

/** An opinion weighs for two intervals, and no less than this. */
export const OPINION_FLOOR_MS = 120_000
/** So many hosts of a probe found to answer elsewhere within `STORM_MS`, and none found to fail: the others follow. */
export const STORM_SAMPLE = 3
export const STORM_MS = 120_000

export interface Weighed<O extends Opinion> {
  /** `link`: what fails is between the probe and the host. `confirmed`: the host fails from elsewhere too. */
  readonly verdict: 'link' | 'confirmed' | 'none'
  /** The one that decides; of another host of the same probe when the host has none of its own. */
  readonly opinion: O | null
}

/**
 * What is to be believed of a failing life test at `nowMs`: the host's own newest opinion of this problem, else what was
 * found of other hosts of the same probe. Opinions recorded at `nowMs` or later are not known yet.
 */
export const weighOpinions = <O extends Opinion>(
  own: readonly O[],
  ofRunner: readonly O[],
  life: Pick<MetricState, 'problemSinceMs'>,
  intervalMs: number,
  nowMs: number,
): Weighed<O> => {
  const known = own.findLast(({ atMs, problemMs }) => atMs < nowMs && problemMs === life.problemSinceMs) ?? null
  if (known?.verdict === 'fails') return { verdict: 'confirmed', opinion: known }
  if (known !== null && nowMs - known.atMs <= Math.max(2 * intervalMs, OPINION_FLOOR_MS))
    return { verdict: 'link', opinion: known }
  const recent = ofRunner.filter(({ atMs }) => atMs < nowMs && nowMs - atMs <= STORM_MS)
  const isLink = recent.length >= STORM_SAMPLE && recent.every(({ verdict }) => verdict === 'answers')
  return { verdict: isLink ? 'link' : 'none', opinion: isLink ? (recent[recent.length - 1] ?? null) : null }
}

/** True when one more bad result would confirm an error, or when the metric is unknown because of the link already. */
export const isAboutToConfirm = (state: MetricState, rule: Pick<MetricRule, 'attempts'>): boolean => {
  if (state.kind === 'soft') return state.attempt + 1 >= rule.attempts
  return state.hardCause === 'probe-link' || (state.hardSeverity !== 'error' && rule.attempts <= 1)
}

/** True while another probe's word may still change what becomes of a failing life test: not once it is a confirmed error. */
export const isInDoubt = (life: Pick<MetricState, 'severity' | 'kind' | 'hardCause'>): boolean =>
  life.kind === 'soft' ? life.severity === 'error' : life.hardCause === 'probe-link'

/** Questions for the hosts of one probe that are under way at once, and in a minute. */
export const QUESTIONS_AT_ONCE = 5
export const QUESTIONS_A_MINUTE = 10

/**
 * Which of the hosts in doubt are asked about now, those not asked for longest first: a few whatever their number, so that
 * a link that breaks under 500 hosts costs other probes ten checks a minute. `asked` are times of past questions.
 */
export const questionsToAsk = (
  candidates: readonly { readonly host: number; readonly askedMs: number }[],
  asked: readonly number[],
  underWay: number,
  nowMs: number,
): number[] => {
  const lately = asked.filter(atMs => atMs > nowMs - 60_000).length
  const room = Math.max(0, Math.min(QUESTIONS_AT_ONCE - underWay, QUESTIONS_A_MINUTE - lately))
  return candidates
    .toSorted((a, b) => a.askedMs - b.askedMs || a.host - b.host)
    .slice(0, room)
    .map(({ host }) => host)
}

export interface Reach {
  /** Members of the group of the probe that failed, by rank after it, round; without it. */
  readonly group: readonly number[]
  /** The host's site, then those above it. */
  readonly sites: readonly number[]
  /** Online approved probes and where each stands; null: nowhere that is known. */
  readonly online: readonly { readonly probe: number; readonly site: number | null }[]
}

/**
 * Probes that may be asked about a host, best first: of the group, else those of the host's site and of the sites above,
 * nearest first. Never one of elsewhere: private addresses mean another device there.
 */
export const secondProbes = (failed: number, { group, sites, online }: Reach): number[] => {
  const isOnline = (probe: number) => online.some(one => one.probe === probe)
  const near = sites.flatMap(site => online.filter(one => one.site === site).map(({ probe }) => probe))
  return [...new Set([...group.filter(isOnline), ...near])].filter(probe => probe !== failed)
}
