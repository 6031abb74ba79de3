import type { IncidentChange } from '@narval/contracts'
import type { ToldToOthers } from '../../account-notice.ts'
import type { Db } from '../../store/database.ts'

interface Act {
  readonly who: string
  readonly change: IncidentChange
  /** Login of whom it was given to; null: who did it, or nobody. */
  readonly toWhom: string | null
  readonly count: number
  /** Of the first incident. */
  readonly id: number
  readonly title: string
}

const LIST = '/dashboard/live-view/incident'

/** First name and last name, else the login. */
export const personOf = async (db: Db, userId: number): Promise<string> => {
  const row = await db
    .selectFrom('account')
    .select(['login', 'first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? '' : `${row.first_name} ${row.last_name}`.trim() || row.login
}

/** « Marie a pris en charge srv-1 : Ping — commentaire » */
export const toldOf = ({ who, change, toWhom, count, id, title }: Act): ToldToOthers => {
  const what = count === 1 ? title : `${count} incidents`
  const { acknowledge, own } = change
  const comment = acknowledge === undefined ? '' : ` — ${acknowledge.comment}`
  const [heading, verb, rest] =
    acknowledge !== undefined && acknowledge.owner == null
      ? ['Acquittement', 'a acquitté', '']
      : change.unacknowledge === true
        ? ['Acquittement retiré', 'a désacquitté', '']
        : own?.owner === null
          ? ['Prise en charge', 'a rendu', '']
          : toWhom === null
            ? ['Prise en charge', 'a pris en charge', '']
            : ['Prise en charge', 'a confié', ` à ${toWhom}`]
  return {
    title: heading,
    message: `${who} ${verb} ${what}${rest}${comment}`,
    link: count === 1 ? `${LIST}/${id}` : LIST,
  }
}
