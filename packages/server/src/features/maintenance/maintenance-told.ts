import type { Maintenance } from '@narval/contracts'
import { parseRecurrence, recurrenceWords } from '@narval/contracts'
import type { ToldToOthers } from '../../account-notice.ts'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { objectWords } from './maintenance.store.ts'

/** Where nothing says which clocks the reader has. */
const ZONE = 'Europe/Paris'

/** « Maintenance de Lyon par Claire Legoff jusqu’à 16:30 » */
export const toldOf = async (
  db: Db,
  viewer: Viewer,
  maintenance: Maintenance,
  nowMs: number,
): Promise<ToldToOthers> => {
  const account = await db
    .selectFrom('account')
    .select(['login', 'first_name', 'last_name'])
    .where('id', '=', viewer.userId)
    .executeTakeFirst()
  const who =
    account === undefined ? viewer.login : `${account.first_name} ${account.last_name}`.trim() || account.login
  return {
    title: maintenance.state === 'running' ? 'Maintenance en cours' : 'Maintenance planifiée',
    message: `Maintenance de ${objectWords(maintenance)} par ${who} ${whenOf(maintenance, nowMs)} — ${maintenance.comment}`,
    link: `/dashboard/live-view/maintenance/${maintenance.id}`,
  }
}

/** When it takes place, as the sentence goes on; days are told where it is not today. */
export const whenOf = (
  { state, schedule, current, next }: Pick<Maintenance, 'state' | 'schedule' | 'current' | 'next'>,
  nowMs: number,
): string => {
  const span = current ?? next
  if (state === 'running' && current !== null) {
    const to = wordsOf(current.to)
    return `jusqu’${to.day === dayOf(nowMs) ? 'à' : `au ${to.day} à`} ${to.hour}`
  }
  if (schedule.kind === 'recurring') {
    const rule = parseRecurrence(schedule.rrule)
    if (!('fault' in rule)) return `(${recurrenceWords(rule)})`
  }
  if (span === null) return ''
  const [from, to] = [wordsOf(span.from), wordsOf(span.to)]
  if (from.day !== to.day) return `du ${from.day} à ${from.hour} au ${to.day} à ${to.hour}`
  return `${from.day === dayOf(nowMs) ? '' : `le ${from.day} `}de ${from.hour} à ${to.hour}`
}

const dayOf = (ms: number): string =>
  new Date(ms).toLocaleDateString('fr-FR', { timeZone: ZONE, day: '2-digit', month: '2-digit' })
const wordsOf = (iso: string): { readonly day: string; readonly hour: string } => ({
  day: dayOf(Date.parse(iso)),
  hour: new Date(iso).toLocaleTimeString('fr-FR', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }),
})
