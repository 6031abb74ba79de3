import { LOG_ACTIONS, LOG_FAMILIES, LOG_KINDS, LOG_OBJECTS, LOG_OUTCOMES, LOG_PERIODS } from '@narval/contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { invalid } from '../../http/refusal.ts'
import { EVENT_RANKS } from '../../monitoring/event-log.ts'
import { findsWords } from '../../store/audit-words.ts'
import {
  containsFolded,
  type FilterValue,
  idFilter,
  type ListSpec,
  wordFilter,
  wordsOf,
} from '../../store/datatable.ts'
import type { Dialect } from '../../store/dialect.ts'
import { instantOf, textOf } from '../../store/filter-values.ts'
import { visibleTo } from '../../store/visible.ts'

/** A line of the log with the message that it stands for. */
export interface LogRow {
  readonly id: number
  readonly at: number
  readonly kind: string
  readonly actor: string | null
  readonly address: string
  readonly action: string
  readonly object: string
  readonly object_kind: string
  readonly outcome: string
  readonly detail: string
  readonly position: number | null
  readonly seal: string
  readonly text: string | null
  readonly severity_rank: number | null
}

const itself = (words: Iterable<string>): ReadonlyMap<string, string> =>
  new Map(Array.from(words, word => [word, word] as const))

/** The log as one account reads it, the newest first. */
export const logList = (viewer: Viewer, dialect: Dialect, nowMs: number): ListSpec => ({
  select: sql`audit.id, audit.at, audit.kind, audit.actor, audit.address, audit.action, audit.object, audit.object_kind,
    audit.outcome, audit.detail, audit.position, audit.seal, message.text, message.severity_rank`,
  from: sql`audit left join received_event message on message.id = audit.event_id`,
  visible: visibleTo(viewer, sql`audit.site_id`),
  columns: {
    at: { sort: sql`audit.at` },
    kind: { sort: sql`audit.kind` },
    actor: { sort: sql`audit.actor` },
    address: { sort: sql`audit.address` },
    action: { sort: sql`audit.action` },
    object: { sort: sql`audit.object_kind` },
    outcome: { sort: sql`audit.outcome` },
    message: { sort: sql`audit.id` },
  },
  alsoFinds: term => findsWords(dialect, term),
  filters: {
    kind: wordFilter(sql`audit.kind`, itself(LOG_KINDS)),
    outcome: wordFilter(sql`audit.outcome`, itself(LOG_OUTCOMES)),
    object: wordFilter(sql`audit.object_kind`, itself(Object.keys(LOG_OBJECTS))),
    action: wordFilter(sql`audit.action`, itself(LOG_ACTIONS.keys())),
    family: familyFilter,
    actor: value => containsFolded(sql`lower(audit.actor)`, textOf(value)),
    address: value => containsFolded(sql`lower(audit.address)`, textOf(value)),
    siteId: idFilter(sql`audit.site_id`),
    period: value => sql<boolean>`audit.at >= ${Math.floor(nowMs / STEP_MS) * STEP_MS - periodMs(value)}`,
    from: value => sql<boolean>`audit.at >= ${instantOf(value)}`,
    to: value => sql<boolean>`audit.at < ${instantOf(value)}`,
    through: value => sql<boolean>`audit.id <= ${idOf(value)}`,
    after: value => sql<boolean>`audit.id > ${idOf(value)}`,
  },
  order: sql`audit.at desc, audit.id desc`,
  tie: sql`audit.id`,
  isDear: true,
})

const familyFilter = (value: FilterValue): RawBuilder<boolean> => {
  const families = wordsOf(value, itself(Object.keys(LOG_FAMILIES)))
  const actions = [...LOG_ACTIONS].flatMap(([action, { family }]) => (families.includes(family) ? [action] : []))
  return sql<boolean>`audit.action in (${sql.join(actions)})`
}

const HOUR_MS = 3_600_000
/** Periods begin anew this often, so that what was counted is not counted again for each page. */
const STEP_MS = 10_000
const PERIODS = new Map(Object.entries(LOG_PERIODS))
const periodMs = (value: FilterValue): number => Math.max(...wordsOf(value, PERIODS)) * HOUR_MS

const idOf = (value: FilterValue): number => {
  const id = Number(value)
  if (typeof value === 'object' || !Number.isSafeInteger(id) || id < 0) throw invalid(['Identifiant incorrect.'])
  return id
}

/** What the message of a row means; null for what is none. */
export const severityOfRow = ({ severity_rank }: LogRow) =>
  severity_rank === null ? null : (EVENT_RANKS[severity_rank] ?? 'warning')
