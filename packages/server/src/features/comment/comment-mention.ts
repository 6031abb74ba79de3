import { type CommentKind, fold, loginsIn, MENTIONS_OFFERED, type Mention } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { PersonalNotice } from '../../account-notice.ts'
import type { Place, Viewer } from '../../http/caller.ts'
import type { Db } from '../../store/database.ts'
import { containsFolded } from '../../store/datatable.ts'
import { within } from '../../store/visible.ts'
import { type CommentRow, kindOf, nameOfAccount } from './comment.store.ts'

export interface MentionDeps {
  /** Accounts that do not see everything, with where they read. */
  readonly limited: () => ReadonlyMap<number, Place>
  /** Tells one account, now where it is signed in and later among its notifications. */
  readonly notify: (accountId: number, notice: PersonalNotice) => Promise<void>
}

interface AccountRow {
  id: number
  login: string
  first_name: string
  last_name: string
}

/** Where an object stands, and which tags its equipment bears. */
interface Standing {
  readonly site: number | null
  readonly tags: string | null
}
const STANDING: Readonly<Record<CommentKind, RawBuilder<unknown>>> = {
  site: sql`select id, id as site, null as tags from site`,
  host: sql`select id, site_id as site, tags_folded as tags from host`,
  metric: sql`select metric.id, host.site_id as site, host.tags_folded as tags from metric join host on host.id = metric.host_id`,
  incident: sql`select incident.id, coalesce(host.site_id, incident.site_id) as site, host.tags_folded as tags from incident
    left join metric on metric.id = incident.metric_id left join host on host.id = metric.host_id`,
}
const standingOf = async (db: Db, kind: CommentKind, id: number): Promise<Standing> => {
  const answer = await sql<Standing>`select site, tags from (${STANDING[kind]}) o where id = ${id}`.execute(db)
  return answer.rows[0] ?? { site: null, tags: null }
}

/** Whether an account reads what stands there: only such ones are offered and told (S32). */
const seesIt =
  ({ limited }: MentionDeps, { site, tags }: Standing) =>
  ({ id }: { readonly id: number }): boolean => {
    const place = limited().get(id)
    return place === undefined || (site !== null && within(place)({ site: { id: site }, facts: { tags: tags ?? '' } }))
  }

const ENABLED = sql`select id, login, first_name, last_name from account where enabled = 1`
/** Accounts that are looked at for a few to offer: of many that see little, the first may all be left out. */
const LOOKED_AT = 2_000

/** Accounts that see an object and whose name or login has these words, by name. */
export const mentionable = async (
  db: Db,
  deps: MentionDeps,
  { kind, id }: { readonly kind: CommentKind; readonly id: number },
  term: string,
): Promise<Mention[]> => {
  const wanted = fold(term)
  const found = sql<boolean>`(${containsFolded(sql`name_folded`, wanted)} or ${containsFolded(sql`login_folded`, wanted)})`
  const answer =
    await sql<AccountRow>`${ENABLED} and ${found} order by name_folded, login_folded limit ${LOOKED_AT}`.execute(db)
  return answer.rows
    .filter(seesIt(deps, await standingOf(db, kind, id)))
    .slice(0, MENTIONS_OFFERED)
    .map(row => ({ login: row.login, name: nameOfAccount(row) }))
}

/** Somebody who is newly named by a comment. */
export interface Told {
  readonly accountId: number
  readonly by: string
  readonly comment: CommentRow
}

/**
 * Keeps whom comments name: of the logins that are accounts in use which see the object, each once. Those who no longer
 * stand in the text are forgotten. @returns who is to be told: those not named before, but for who writes.
 */
export const saveMentions = async (
  trx: Db,
  deps: MentionDeps,
  viewer: Viewer,
  comments: readonly CommentRow[],
): Promise<Told[]> => {
  const told: Told[] = []
  for (const comment of comments) {
    const before = await namedBefore(trx, comment.id)
    const named = await namedIn(trx, deps, comment)
    const left = [...before].filter(id => !named.has(id))
    if (left.length > 0)
      await trx
        .deleteFrom('comment_mention')
        .where('comment_id', '=', comment.id)
        .where('account_id', 'in', left)
        .execute()
    const fresh = [...named].filter(id => !before.has(id))
    if (fresh.length === 0) continue
    await trx
      .insertInto('comment_mention')
      .values(fresh.map(account_id => ({ comment_id: comment.id, account_id })))
      .execute()
    const by = comment.author
    told.push(...fresh.filter(id => id !== viewer.userId).map(accountId => ({ accountId, by, comment })))
  }
  return told
}

const namedBefore = async (trx: Db, commentId: number): Promise<Set<number>> => {
  const rows = await trx
    .selectFrom('comment_mention')
    .select('account_id')
    .where('comment_id', '=', commentId)
    .execute()
  return new Set(rows.map(row => row.account_id))
}

const namedIn = async (trx: Db, deps: MentionDeps, comment: CommentRow): Promise<Set<number>> => {
  const logins = loginsIn(comment.text)
  if (logins.length === 0) return new Set()
  const answer = await sql<AccountRow>`${ENABLED} and login_folded in (${sql.join(logins)})`.execute(trx)
  if (answer.rows.length === 0) return new Set()
  const sees = seesIt(deps, await standingOf(trx, kindOf(comment), comment.object_id))
  return new Set(answer.rows.filter(sees).map(row => row.id))
}

/** Characters of a comment that an alert quotes. */
const QUOTED = 200
const ADDRESS: Readonly<Record<CommentKind, string>> = {
  ...{ site: '/site', host: '/host', metric: '/metric', incident: '/dashboard/live-view/incident' },
}

/** Tells each once, however many objects the same words stand on. */
export const tellMentioned = async ({ notify }: MentionDeps, told: readonly Told[]): Promise<void> => {
  for (const [accountId, some] of Map.groupBy(told, one => one.accountId)) {
    const [first] = some
    if (first === undefined) continue
    const { by, comment } = first
    const text = comment.text.replace(/\s+/g, ' ')
    const more = some.length > 1 ? ` et ${some.length - 1} de plus` : ''
    await notify(accountId, {
      key: `mention:${comment.id}:${accountId}`,
      type: 'Info',
      severity: 'ok',
      title: `${by} vous mentionne`,
      message: `${comment.object_name ?? ''}${more} — ${text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text}`,
      link: some.length > 1 ? '/comments?mentionsMe=true' : `${ADDRESS[kindOf(comment)]}/${comment.object_id}`,
    })
  }
}
