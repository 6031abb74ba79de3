import { CLAIM_TEXTS, CLAIMS, HISTORY_PAGE, type HistoryEntry } from '@narval/contracts'
import type { Db } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'

const LABELS: Readonly<Record<string, string>> = {
  login: 'Compte',
  name: 'Nom',
  description: 'Description',
  firstName: 'Prénom',
  lastName: 'Nom',
  email: 'E-mail',
  phone: 'Téléphone',
  avatar: 'Avatar',
  theme: 'Thème',
  homePage: 'Page d’accueil',
  enabled: 'Actif',
  locked: 'Verrouillé',
  groups: 'Groupes',
  claims: 'Droits',
  members: 'Membres',
  limited: 'Limité à des sites',
  sites: 'Sites',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was done to an account or to a group, the newest first: 50 lines at most, those before a line of the audit. */
export const accountHistory = async (
  db: Db,
  object: `account ${number}` | `user-group ${number}`,
  before: number | undefined,
): Promise<HistoryEntry[]> => {
  const rows = await db
    .selectFrom('audit')
    .select(['id', 'at', 'actor', 'action', 'detail'])
    .where('object', '=', object)
    .where('outcome', '=', 'success')
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(HISTORY_PAGE)
    .execute()
  return rows.map(({ id, at, actor, action, detail }) => ({
    id,
    at: toIso(at),
    actor,
    action,
    changes: changesIn(detail),
  }))
}

const changesIn = (detail: string): HistoryEntry['changes'] => {
  const told: unknown = JSON.parse(detail)
  const changes = isRecord(told) && isRecord(told.changes) ? told.changes : {}
  return Object.entries(changes).flatMap(([field, change]) =>
    isRecord(change)
      ? [{ field, label: LABELS[field] ?? field, before: textOf(change.before), after: textOf(change.after) }]
      : [],
  )
}

const LONGEST = 500
const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'oui' : 'non'
  if (Array.isArray(value)) return value.map(wordOf).join(', ').slice(0, LONGEST)
  return value === null || value === undefined ? '' : String(value).slice(0, LONGEST)
}
/** Claims by their names, everything else as it was written. */
const wordOf = (value: unknown): string => {
  const claim = CLAIMS.find(one => one === value)
  return claim === undefined ? String(value) : CLAIM_TEXTS[claim].label
}
