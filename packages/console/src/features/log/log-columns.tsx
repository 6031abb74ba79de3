import {
  LOG_ACTIONS,
  LOG_FAMILIES,
  LOG_KINDS,
  LOG_OBJECTS,
  LOG_OUTCOMES,
  type LOG_PERIODS,
  type LogEntry,
  type LogOutcome,
} from '@narval/contracts'
import { formatDateTime } from '../../lib/format.ts'
import type { TableColumn, TableFilter } from '../../ui/data-table-types.ts'
import { fr } from './fr.ts'
import classes from './log.module.css'

const { columns: words, filters } = fr

/** Who did it; « Narval » for what nobody did. */
export const actorOf = ({ actor, kind }: Pick<LogEntry, 'actor' | 'kind'>): string =>
  actor ?? (kind === 'event' ? fr.own : fr.unknown)

/** What it is about: its kind and its name. */
export const objectOf = ({ objectKind, objectName, objectId }: LogEntry): string => {
  const kind = LOG_OBJECTS[objectKind] ?? objectKind
  const name = objectName !== '' ? objectName : objectId === null ? '' : `n° ${objectId}`
  return [kind, name].filter(Boolean).join(' ')
}

/** The same beside the action, which often says the kind already. */
const objectBesideAction = (entry: LogEntry): string => {
  const kind = LOG_OBJECTS[entry.objectKind] ?? entry.objectKind
  return entry.objectName !== '' && entry.actionText.startsWith(kind) ? entry.objectName : objectOf(entry)
}

/** How it ended, by its colour and its word. */
export const Outcome = ({ outcome }: { readonly outcome: LogOutcome }) => (
  <span className={classes.outcome} data-outcome={outcome}>
    {fr.outcomes[outcome]}
  </span>
)

export const LOG_COLUMNS: readonly TableColumn<LogEntry>[] = [
  {
    id: 'at',
    header: words.at,
    width: 178,
    cell: entry => (
      <time dateTime={entry.at} className={classes.at}>
        {formatDateTime(entry.at)}
      </time>
    ),
  },
  { id: 'action', header: words.action, grow: 2.3, card: 'title', cell: entry => entry.actionText },
  { id: 'object', header: words.object, grow: 1.3, cell: objectBesideAction },
  { id: 'message', header: words.message, sortable: false, grow: 2, cell: entry => entry.message },
  { id: 'actor', header: words.actor, width: 120, cell: actorOf },
  { id: 'address', header: words.address, width: 120, cell: entry => entry.address },
  {
    id: 'outcome',
    header: words.outcome,
    width: 92,
    card: 'corner',
    cell: entry => <Outcome outcome={entry.outcome} />,
  },
  { id: 'kind', header: words.kind, width: 110, hidden: true, cell: entry => fr.kinds[entry.kind] },
]

const sorted = (choices: readonly { value: string; label: string }[]) =>
  choices.toSorted((a, b) => a.label.localeCompare(b.label, 'fr'))

export const LOG_FILTERS: readonly TableFilter[] = [
  { name: 'kind', label: filters.kind, choices: LOG_KINDS.map(value => ({ value, label: fr.kinds[value] })) },
  {
    name: 'family',
    label: filters.family,
    choices: Object.entries(LOG_FAMILIES).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'action',
    label: filters.action,
    choices: sorted([...LOG_ACTIONS].map(([value, { label }]) => ({ value, label }))),
  },
  {
    name: 'object',
    label: filters.object,
    choices: sorted(Object.entries(LOG_OBJECTS).map(([value, label]) => ({ value, label }))),
  },
  { name: 'actor', label: filters.actor, typed: 'text' },
  {
    name: 'outcome',
    label: filters.outcome,
    choices: LOG_OUTCOMES.map(value => ({ value, label: fr.outcomes[value] })),
  },
  {
    name: 'period',
    label: filters.period,
    single: true,
    choices: [...(['hour', 'day', 'week', 'month'] as const satisfies readonly (keyof typeof LOG_PERIODS)[])].map(
      value => ({ value, label: fr.periods[value] }),
    ),
  },
  { name: 'days', label: filters.at, typed: 'date' },
]
