/** The scanners of a probe go back to it when it has spoken again for this long: one that flaps does not move them each time. */
export const GIVE_BACK_AFTER_MS = 5 * 60_000

/** A probe of a group runs the scanners of another one, their home. */
export interface Takeover {
  readonly home: number
  readonly runner: number
  /** When this runner began, epoch ms of the server. */
  readonly sinceMs: number
  /** Since when the home speaks again without a pause; null while it is silent. */
  readonly backSinceMs: number | null
}

/**
 * Who runs whose scanners in a group, after what is known of its probes at `nowMs`: the takeovers that hold, at most one a
 * home, by rank. A silent home goes to the next member that is online, round; it keeps that one until it dies or the home
 * is back for `giveBackAfterMs`. Where nobody is online nothing moves. The same array when nothing changes.
 */
export const assignRunners = (
  members: readonly number[],
  isOnline: (probe: number) => boolean,
  takeovers: readonly Takeover[],
  nowMs: number,
  giveBackAfterMs: number = GIVE_BACK_AFTER_MS,
): readonly Takeover[] => {
  const next = members.flatMap((home, rank) => {
    const known = takeovers.find(takeover => takeover.home === home) ?? null
    const others = [...members.slice(rank + 1), ...members.slice(0, rank)]
    const held = known !== null && others.includes(known.runner) ? known : null
    return isOnline(home)
      ? (returning(held, isOnline, nowMs, giveBackAfterMs) ?? [])
      : (absent(home, held, others, isOnline, nowMs) ?? [])
  })
  const isSame = next.length === takeovers.length && next.every((takeover, index) => takeover === takeovers[index])
  return isSame ? takeovers : next
}

/** The home speaks: its stand-in keeps the scanners a while, unless it is the one that fell silent. */
const returning = (
  held: Takeover | null,
  isOnline: (probe: number) => boolean,
  nowMs: number,
  giveBackAfterMs: number,
): Takeover | null => {
  if (held === null || !isOnline(held.runner)) return null
  // A clock set back does not make the wait longer than it is.
  if (held.backSinceMs === null || held.backSinceMs > nowMs) return { ...held, backSinceMs: nowMs }
  return nowMs - held.backSinceMs >= giveBackAfterMs ? null : held
}

/** The home is silent: who stands in goes on while it can, else the next one that is there. */
const absent = (
  home: number,
  held: Takeover | null,
  others: readonly number[],
  isOnline: (probe: number) => boolean,
  nowMs: number,
): Takeover | null => {
  const runner = held !== null && isOnline(held.runner) ? held.runner : others.find(isOnline)
  if (runner !== undefined && runner !== held?.runner) return { home, runner, sinceMs: nowMs, backSinceMs: null }
  return held === null || held.backSinceMs === null ? held : { ...held, backSinceMs: null }
}
