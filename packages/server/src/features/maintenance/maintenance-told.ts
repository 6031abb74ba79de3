import type { Maintenance } from '@narval/contracts'
import { parseRecurrence, recurrenceWords } from '@narval/contracts'
import type { ToldToOthers } from '../../account-notice.ts'
import type { Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { objectWords } from './maintenance.store.ts'

/** Where nothing says which clocks the reader has. */
const ZONE = 'Europe/Paris'

/** « Maintenance de Lyon par Claire Legoff jusqu’à 16:30 » */
export const toldOf = async (db: Db, viewer: Viewer, maintenance: Maintenance): Promise<ToldToOthers> => {
  const account = await db
    .selectFrom('account')
    .select(['login', 'first_name', 'last_name'])
    .where('id', '=', viewer.userId)
    .executeTakeFirst()
  const who =
    account === undefined ? viewer.login : `${account.first_name} ${account.last_name}`.trim() || account.login
  return {
    title: maintenance.state === 'running' ? 'Maintenance en cours' : 'Maintenance planifiée',
    message: `Maintenance de ${objectWords(maintenance)} par ${who} ${whenOf(maintenance)} — ${maintenance.comment}`,
    link: `/dashboard/live-view/maintenance/${maintenance.id}`,
  }
}

const whenOf = ({ state, schedule, current, next }: Maintenance): string => {
  if (state === 'running' && current !== null) return `jusqu’à ${timeWords(current.to)}`
  const span = current ?? next
  if (schedule.kind === 'recurring') {
    const rule = parseRecurrence(schedule.rrule)
    if (!('fault' in rule)) return `(${recurrenceWords(rule)})`
  }
  return span === null ? '' : `du ${timeWords(span.from)} jusqu’à ${timeWords(span.to)}`
}

/** The hour, with the day unless it is today. */
const timeWords = (iso: string): string => {
  const at = new Date(iso)
  const day = (date: Date): string =>
    date.toLocaleDateString('fr-FR', { timeZone: ZONE, day: '2-digit', month: '2-digit' })
  const hour = at.toLocaleTimeString('fr-FR', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' })
  return day(at) === day(new Date()) ? hour : `${day(at)} à ${hour}`
}
