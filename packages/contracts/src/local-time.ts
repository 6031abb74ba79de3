/** What the clocks of a zone show. */
export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  /** Monday is 1. */
  readonly weekDay: number
  /** HH:MM. */
  readonly time: string
}

const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...digits })
  formats.set(zone, made)
  return made
}

/** What they show at an instant (epoch ms). */
export const localTime = (zone: string, atMs: number): LocalTime => {
  const parts = formatOf(zone).formatToParts(atMs)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find(one => one.type === type)?.value ?? '0'
  const [year, month, day] = [Number(part('year')), Number(part('month')), Number(part('day'))]
  const sundayIs0 = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return { year, month, day, weekDay: sundayIs0 === 0 ? 7 : sundayIs0, time: `${part('hour')}:${part('minute')}` }
}
