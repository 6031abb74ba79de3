import {
  type DatatableInput,
  NOT_COUNTED,
  type StatusChange,
  type StatusChangeGroup,
  statusRoutes,
} from '@narval/contracts'
import type { Severity } from '@narval/engine'
import { IconArrowRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { formatDateTime, NOTHING } from '../../lib/format.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { RowLook, TableColumn } from '../../ui/data-table-types.ts'
import { Card } from '../../ui/page.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './hour-changes.module.css'
import { CHANGE_LIST, type StatusWindow, useChangeGroups } from './status-queries.ts'

const { changes: words } = fr
const causeText = (cause: StatusChange['cause']): string => (cause === null ? NOTHING : fr.causes[cause])

const State = ({ severity }: { readonly severity: Severity | null }) =>
  severity === null ? <span className={classes.none}>{words.notCounted}</span> : <SeverityBadge severity={severity} />

const Change = ({ from, to }: Pick<StatusChange, 'from' | 'to'>) => (
  <span className={classes.change}>
    <State severity={from} />
    <IconArrowRight size={14} aria-label="→" />
    <State severity={to} />
  </span>
)

const COLUMNS: readonly TableColumn<StatusChange>[] = [
  { id: 'at', header: words.columns.at, width: 170, cell: row => formatDateTime(row.at), card: 'corner' },
  { id: 'to', header: words.columns.change, width: 210, cell: Change },
  { id: 'hostName', header: words.columns.host, cell: row => row.hostName, card: 'title' },
  {
    id: 'metricName',
    header: words.columns.metric,
    cell: row => <Link to={`/metric/${row.metricId}`}>{row.metricName}</Link>,
  },
  { id: 'siteName', header: words.columns.site, cell: row => row.siteName },
  { id: 'cause', header: words.columns.cause, cell: row => causeText(row.cause) },
  {
    id: 'incident',
    header: words.columns.incident,
    sortable: false,
    width: 140,
    cell: row =>
      row.incidentId === null ? (
        NOTHING
      ) : (
        <Link to={`/dashboard/live-view/incident/${row.incidentId}`}>{words.incident(row.incidentId)}</Link>
      ),
  },
]
const look: RowLook<StatusChange> = {
  key: row => `${row.metricId} ${row.at}`,
  name: row => `${row.hostName}, ${row.metricName}`,
  href: row => `/host/${row.hostId}`,
  edge: row => (row.to === 'ok' ? null : row.to),
}
const fetchPage = (body: DatatableInput, signal: AbortSignal) => call(statusRoutes.changes.put, { body, signal })

const groupKey = ({ from, to, cause }: StatusChangeGroup): string => `${from} ${to} ${cause}`
const filtersOf = ({ from, to, cause }: StatusChangeGroup) => ({
  ...{ before: from ?? NOT_COUNTED, severity: to ?? NOT_COUNTED, cause: cause ?? NOT_COUNTED },
})

interface HourChangesProps {
  readonly window: StatusWindow
  /** « vendredi 20 novembre, 14 h – 15 h ». */
  readonly time: string
}

/** What changed in an hour: first alike together, since a cut-off has thousands, then one by one. */
export const HourChanges = ({ window, time }: HourChangesProps) => {
  const { data: groups } = useChangeGroups(window)
  const [chosen, setChosen] = useState<string | null>(null)
  const group = groups?.find(one => groupKey(one) === chosen)
  const { fromMs, untilMs, site } = window
  const filter = group === undefined ? undefined : JSON.stringify(filtersOf(group))
  const fixed = useMemo<Readonly<Record<string, string | number>>>(
    () => ({
      ...{ from: new Date(fromMs).toISOString(), to: new Date(untilMs).toISOString() },
      ...(site !== null && { siteId: site }),
      ...(filter === undefined ? {} : JSON.parse(filter)),
    }),
    [fromMs, untilMs, site, filter],
  )
  return (
    <section aria-label={words.list}>
      <Card title={words.title(time)}>
        <Groups groups={groups} chosen={chosen} onChoose={setChosen} />
      </Card>
      <DataTable<StatusChange>
        list={CHANGE_LIST}
        fetchPage={fetchPage}
        columns={COLUMNS}
        fixed={fixed}
        defaultSort={{ column: 'at', dir: 'desc' }}
        look={look}
        noun={words.noun}
        searchLabel={words.search}
        empty={{ title: words.none, text: words.noneText }}
        hub="service"
      />
    </section>
  )
}

interface GroupsProps {
  readonly groups: readonly StatusChangeGroup[] | undefined
  readonly chosen: string | null
  readonly onChoose: (key: string | null) => void
}

const Groups = ({ groups, chosen, onChoose }: GroupsProps) => (
  <ul className={classes.groups} aria-label={words.groups}>
    {(groups ?? []).map(group => {
      const key = groupKey(group)
      return (
        <li key={key}>
          <button
            type="button"
            className={classes.group}
            aria-pressed={key === chosen}
            onClick={() => onChoose(key === chosen ? null : key)}
          >
            <strong>{words.count(group.changes)}</strong>
            <Change from={group.from} to={group.to} />
            {group.cause !== null && <span className={classes.none}>{fr.causes[group.cause]}</span>}
          </button>
        </li>
      )
    })}
    {groups?.length === 0 && <li className={classes.none}>{words.noneText}</li>}
  </ul>
)
