import { WEEK_DAYS, type WeekDay } from '@narval/contracts'
import { useEffect, useState } from 'react'
import { NOTHING } from '../../lib/format.ts'

const TICK_MS = 5_000

/** The present instant, epoch ms, renewed every five seconds: enough for what shows minutes. */
export const useNow = (): number => {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

/** « 10:24 » in a zone; with its day when that is another than here. */
export const clockAt = (timeZone: string, atMs: number): string => {
  try {
    const time = new Intl.DateTimeFormat('fr-FR', { timeZone, hour: '2-digit', minute: '2-digit' }).format(atMs)
    const dayIn = (zone?: string): string =>
      new Intl.DateTimeFormat('fr-FR', { ...(zone && { timeZone: zone }), weekday: 'long' }).format(atMs)
    return dayIn(timeZone) === dayIn() ? time : `${time} (${dayIn(timeZone)})`
  } catch {
    return NOTHING
  }
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** The day of the week in a zone. */
export const dayAt = (timeZone: string, atMs: number): WeekDay => {
  const name = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' }).format(atMs)
  return WEEK_DAYS[DAYS.indexOf(name)] ?? 1
}
