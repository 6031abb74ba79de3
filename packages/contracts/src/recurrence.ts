/** Weekdays as RFC 5545 writes them, Monday first. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof WEEKDAYS)[number]
export const RECURRENCE_FREQUENCIES = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export type RecurrenceFrequency = (typeof RECURRENCE_FREQUENCIES)[number]

/** Longest interval of each: beyond, it is one date rather than a recurrence. */
export const MAX_INTERVALS: Readonly<Record<RecurrenceFrequency, number>> = {
  HOURLY: 720,
  DAILY: 366,
  WEEKLY: 104,
  MONTHLY: 60,
  YEARLY: 10,
}
export const MAX_RECURRENCE_COUNT = 10_000

/** What a maintenance window's recurrence may say of RFC 5545: the hour is that of its start. */
export interface Recurrence {
  readonly frequency: RecurrenceFrequency
  readonly interval: number
  /** The n-th weekday of the month where `nth` is set, counted from its end where it is negative. */
  readonly weekdays: readonly { readonly day: Weekday; readonly nth: number | null }[]
  /** Days of the month, from its end where negative. */
  readonly monthDays: readonly number[]
  readonly months: readonly number[]
  readonly positions: readonly number[]
  readonly count: number | null
  /** Last instant in UTC, as RFC 5545 writes it: `20261231T230000Z`; null: without end. */
  readonly until: string | null
}

/** A rule that is refused, with the French sentence that says why. */
export interface RecurrenceFault {
  readonly fault: string
}

const UNTIL = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?$/
const KNOWN = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST', 'COUNT', 'UNTIL']

/**
 * Reads a rule of RFC 5545 (`FREQ=MONTHLY;BYDAY=1SU`), with or without `RRULE:`. What would recur by the minute or the
 * second, absurd intervals and parts that a window does not need are refused in words.
 */
export const parseRecurrence = (text: string): Recurrence | RecurrenceFault => {
  const parts = new Map<string, string>()
  for (const part of text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')) {
    const [name = '', value = '', ...rest] = part.split('=')
    if (name === '' || value === '' || rest.length > 0) return { fault: 'La récurrence n’est pas lisible.' }
    if (!KNOWN.includes(name)) return { fault: `La récurrence ne connaît pas « ${name.slice(0, 20)} ».` }
    if (parts.has(name)) return { fault: `« ${name} » est donné deux fois.` }
    parts.set(name, value)
  }
  const frequency = RECURRENCE_FREQUENCIES.find(one => one === parts.get('FREQ'))
  if (frequency === undefined)
    return { fault: 'Une maintenance se répète par heure, jour, semaine, mois ou an, pas plus souvent.' }
  const interval = numbersOf(parts.get('INTERVAL') ?? '1', 1, MAX_INTERVALS[frequency])
  if (interval?.length !== 1)
    return { fault: `L’intervalle va de 1 à ${MAX_INTERVALS[frequency]} pour cette fréquence.` }
  const rest = datesOf(parts, frequency)
  if ('fault' in rest) return rest
  const end = endOf(parts)
  return 'fault' in end ? end : { frequency, interval: interval[0] ?? 1, ...rest, ...end }
}

const datesOf = (
  parts: ReadonlyMap<string, string>,
  frequency: RecurrenceFrequency,
): Pick<Recurrence, 'weekdays' | 'monthDays' | 'months' | 'positions'> | RecurrenceFault => {
  const weekdays = weekdaysOf(parts.get('BYDAY'))
  if (weekdays === null) return { fault: 'Les jours de la semaine sont MO, TU, WE, TH, FR, SA, SU.' }
  if (frequency !== 'MONTHLY' && weekdays.some(({ nth }) => nth !== null))
    return { fault: 'Le rang d’un jour (premier, dernier…) ne vaut que pour une récurrence mensuelle.' }
  const monthDays = signedOf(parts.get('BYMONTHDAY'), 31)
  if (monthDays === null) return { fault: 'Les jours du mois vont de 1 à 31, ou de -31 à -1 depuis la fin.' }
  const months = parts.has('BYMONTH') ? numbersOf(parts.get('BYMONTH') ?? '', 1, 12) : []
  if (months === null) return { fault: 'Les mois vont de 1 à 12.' }
  const positions = signedOf(parts.get('BYSETPOS'), 31)
  if (positions === null) return { fault: 'Les rangs vont de 1 à 31, ou de -31 à -1 depuis la fin.' }
  if (frequency === 'HOURLY' && weekdays.length + monthDays.length + months.length + positions.length > 0)
    return { fault: 'Une récurrence par heures ne se limite pas à certains jours.' }
  return { weekdays, monthDays, months, positions }
}

const endOf = (parts: ReadonlyMap<string, string>): Pick<Recurrence, 'count' | 'until'> | RecurrenceFault => {
  const countText = parts.get('COUNT')
  const until = parts.get('UNTIL') ?? null
  if (countText !== undefined && until !== null)
    return { fault: 'La récurrence s’arrête après un nombre de fois ou à une date, pas les deux.' }
  if (until !== null && (!UNTIL.test(until) || Number.isNaN(untilMs(until))))
    return { fault: 'La date de fin de la récurrence n’est pas lisible.' }
  if (countText === undefined) return { count: null, until }
  const count = numbersOf(countText, 1, MAX_RECURRENCE_COUNT)
  return count?.length === 1
    ? { count: count[0] ?? null, until }
    : { fault: `Le nombre de fois va de 1 à ${MAX_RECURRENCE_COUNT}.` }
}

/** Epoch ms of an end as RFC 5545 writes it; a day alone is that whole day. */
export const untilMs = (until: string): number => {
  const [, year, month, day, hour = '23', minute = '59', second = '59'] = UNTIL.exec(until) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const numbersOf = (text: string, min: number, max: number): number[] | null => {
  const numbers = text.split(',').map(one => (/^[+-]?\d{1,5}$/.test(one) ? Number(one) : Number.NaN))
  return numbers.length <= 31 && numbers.every(one => one >= min && one <= max) ? numbers : null
}

const signedOf = (text: string | undefined, max: number): number[] | null => {
  if (text === undefined) return []
  const numbers = numbersOf(text, -max, max)
  return numbers?.every(one => one !== 0) === true ? numbers : null
}

const weekdaysOf = (text: string | undefined): Recurrence['weekdays'] | null => {
  if (text === undefined) return []
  const days = text.split(',').map(one => {
    const [, nth = '', name] = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(one) ?? []
    const day = WEEKDAYS.find(known => known === name)
    return day === undefined ? null : { day, nth: nth === '' ? null : Number(nth) }
  })
  const known = days.filter(day => day !== null)
  return known.length === days.length && known.length <= 14 ? known : null
}

/** The rule as RFC 5545 writes it: what `parseRecurrence` reads. */
export const recurrenceText = (rule: Recurrence): string => {
  const days = rule.weekdays.map(({ day, nth }) => `${nth ?? ''}${day}`)
  const lists = [
    ['BYMONTH', rule.months],
    ['BYMONTHDAY', rule.monthDays],
    ['BYDAY', days],
    ['BYSETPOS', rule.positions],
  ] as const
  return [
    `FREQ=${rule.frequency}`,
    ...(rule.interval === 1 ? [] : [`INTERVAL=${rule.interval}`]),
    ...lists.flatMap(([name, values]) => (values.length === 0 ? [] : [`${name}=${values.join(',')}`])),
    ...(rule.count === null ? [] : [`COUNT=${rule.count}`]),
    ...(rule.until === null ? [] : [`UNTIL=${rule.until}`]),
  ].join(';')
}

const DAY_WORDS: Readonly<Record<Weekday, string>> = {
  MO: 'lundi',
  TU: 'mardi',
  WE: 'mercredi',
  TH: 'jeudi',
  FR: 'vendredi',
  SA: 'samedi',
  SU: 'dimanche',
}
const MONTH_WORDS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ')
const UNIT_WORDS: Readonly<Record<RecurrenceFrequency, { readonly one: string; readonly many: string }>> = {
  HOURLY: { one: 'toutes les heures', many: 'heures' },
  DAILY: { one: 'tous les jours', many: 'jours' },
  WEEKLY: { one: 'toutes les semaines', many: 'semaines' },
  MONTHLY: { one: 'tous les mois', many: 'mois' },
  YEARLY: { one: 'tous les ans', many: 'ans' },
}
const rankWord = (nth: number): string =>
  nth === -1
    ? 'dernier'
    : nth < 0
      ? `${-nth}ᵉ avant la fin,`
      : (['premier', 'deuxième', 'troisième', 'quatrième', 'cinquième'][nth - 1] ?? `${nth}ᵉ`)
const monthDayWord = (day: number): string =>
  day === -1 ? 'dernier jour' : day < 0 ? `${-day}ᵉ jour avant la fin` : day === 1 ? '1ᵉʳ' : String(day)
const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} et ${words[words.length - 1]}`

/** The rule in plain French: « tous les mois, le premier dimanche ». */
export const recurrenceWords = (rule: Recurrence): string => {
  const unit = UNIT_WORDS[rule.frequency]
  const feminine = rule.frequency === 'HOURLY' || rule.frequency === 'WEEKLY'
  const rhythm =
    rule.interval === 1 ? unit.one : `${feminine ? 'toutes les' : 'tous les'} ${rule.interval} ${unit.many}`
  const days = rule.weekdays.map(({ day, nth }) =>
    nth === null ? DAY_WORDS[day] : `${rankWord(nth)} ${DAY_WORDS[day]}`,
  )
  return [
    rhythm,
    ...(days.length === 0 ? [] : [`le ${listed(days)}`]),
    ...(rule.monthDays.length === 0 ? [] : [`le ${listed(rule.monthDays.map(monthDayWord))} du mois`]),
    ...(rule.months.length === 0 ? [] : [`en ${listed(rule.months.map(month => MONTH_WORDS[month - 1] ?? ''))}`]),
    ...(rule.positions.length === 0 ? [] : [`(rang ${rule.positions.join(', ')})`]),
    ...(rule.count === null ? [] : [`${rule.count} fois`]),
    ...(rule.until === null ? [] : [`jusqu’au ${dayWord(rule.until)}`]),
  ].join(', ')
}

const dayWord = (until: string): string => `${until.slice(6, 8)}/${until.slice(4, 6)}/${until.slice(0, 4)}`
