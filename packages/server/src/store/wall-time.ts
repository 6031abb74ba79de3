/** Formatters are slow to make: one a zone. */
const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const digits = '2-digit'
  const made = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: digits, day: digits },
    ...{ hour: digits, minute: digits, second: digits },
  })
  formats.set(timeZone, made)
  return made
}

/** What the clocks of a zone show at an instant, as if they were in UTC (epoch ms both). */
export const wallOf = (ms: number, timeZone: string): number => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  const second = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return second + (((ms % 1_000) + 1_000) % 1_000)
}

const DAY_MS = 86_400_000

/**
 * The instant at which the clocks of a zone show this: the first one where they show it twice; as much later as they leave
 * out where they never do.
 */
export const instantOf = (wallMs: number, timeZone: string): number => {
  const offsetAt = (ms: number): number => wallOf(ms, timeZone) - ms
  const before = offsetAt(wallMs - DAY_MS)
  const after = offsetAt(wallMs + DAY_MS)
  const found = [wallMs - before, wallMs - after].filter(ms => wallOf(ms, timeZone) === wallMs)
  return found.length === 0 ? wallMs - before : Math.min(...found)
}
