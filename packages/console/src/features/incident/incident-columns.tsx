import type { Incident } from '@narval/contracts'
import {
  IconArrowsJoin2,
  IconPlugConnectedX,
  IconRotate,
  IconTool,
  IconUserCheck,
  IconUserOff,
  IconWaveSine,
} from '@tabler/icons-react'
import { formatDateTime, formatDuration, formatNumber, NOTHING } from '../../lib/format.ts'
import { informationOf, openedAndReopened, reopenedShort } from '../../lib/incident-time.ts'
import type { TableColumn } from '../../ui/data-table-types.ts'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago, Since } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import classes from './incident-list.module.css'

const { columns: words } = fr

const ICON = { size: 15, stroke: 1.7 } as const

/** What else there is to know before one opens it, each an icon with its word. */
const Signs = ({ incident }: { readonly incident: Incident }) => {
  const { flapping, inMaintenance, acknowledgedBy, parentId, reopened } = incident
  return (
    <>
      {acknowledgedBy !== null && (
        <span title={fr.acknowledgedTip(acknowledgedBy, incident.acknowledgedComment ?? '')}>
          <IconUserCheck
            {...ICON}
            aria-label={fr.acknowledgedTip(acknowledgedBy, incident.acknowledgedComment ?? '')}
          />
        </span>
      )}
      {reopened > 0 && (
        <span title={openedAndReopened(incident)}>
          <IconRotate {...ICON} aria-label={openedAndReopened(incident)} />
        </span>
      )}
      {flapping && (
        <span title={fr.flapping}>
          <IconWaveSine {...ICON} aria-label={fr.flapping} />
        </span>
      )}
      {inMaintenance && (
        <span title={fr.inMaintenance}>
          <IconTool {...ICON} aria-label={fr.inMaintenance} />
        </span>
      )}
      {parentId !== null && (
        <span title={fr.mergedInto}>
          <IconArrowsJoin2 {...ICON} aria-label={fr.mergedInto} />
        </span>
      )}
    </>
  )
}

const State = ({ incident }: { readonly incident: Incident }) => (
  <span className={classes.state}>
    {incident.closedAt === null ? (
      <SeverityBadge severity={incident.severity} />
    ) : (
      <SeverityBadge severity="ok">{fr.closed}</SeverityBadge>
    )}
    <Signs incident={incident} />
  </span>
)

const Title = ({ incident }: { readonly incident: Incident }) => (
  <span className={classes.title}>
    <strong>{incident.title}</strong>
    {incident.unreachable > 0 && (
      <span className={classes.more}>
        <IconPlugConnectedX size={14} aria-hidden="true" />
        {fr.unreachableShort(incident.unreachable)}
      </span>
    )}
    {incident.merged > 0 && (
      <span className={classes.more}>
        <IconArrowsJoin2 size={14} aria-hidden="true" />
        {fr.mergedShort(incident.merged)}
      </span>
    )}
  </span>
)

/** « 3 min 12 s » while it lasts, since it came back if it did; how long it lasted once it is over, or how often it came back. */
const Duration = ({ incident }: { readonly incident: Incident }) => {
  const { openedAt, closedAt, failsSince, reopened } = incident
  if (closedAt === null) return <Since at={failsSince} />
  if (reopened > 0) return <span title={openedAndReopened(incident)}>{reopenedShort(reopened)}</span>
  return formatDuration(Date.parse(closedAt) - Date.parse(openedAt))
}

/** Who has it; of one who may act no more that nobody has. */
const Owner = ({ incident: { owner, ownerLost } }: { readonly incident: Incident }) => {
  if (owner === null) return NOTHING
  if (!ownerLost) return owner
  return (
    <span className={classes.lost} title={fr.ownerLostTip(owner)}>
      <IconUserOff {...ICON} aria-label={fr.ownerLost} />
      {owner}
    </span>
  )
}

const count = (value: number): string => (value === 0 ? NOTHING : formatNumber(value, 0))

/** Columns of the list of incidents, what matters at first sight first; the others are chosen. */
export const INCIDENT_COLUMNS: readonly TableColumn<Incident>[] = [
  {
    id: 'severity',
    header: words.severity,
    width: 128,
    card: 'corner',
    cell: incident => <State incident={incident} />,
  },
  { id: 'title', header: words.title, grow: 3.4, card: 'title', cell: incident => <Title incident={incident} /> },
  { id: 'information', header: words.information, grow: 2, wrap: true, sortable: false, cell: informationOf },
  { id: 'siteName', header: words.site, grow: 0.9, wrap: true, cell: incident => incident.siteName ?? NOTHING },
  {
    id: 'openedAt',
    header: words.opened,
    width: 104,
    align: 'right',
    cell: incident => <Ago at={incident.openedAt} />,
  },
  {
    id: 'duration',
    header: words.lasts,
    width: 92,
    align: 'right',
    sortable: false,
    cell: incident => <Duration incident={incident} />,
  },
  { id: 'owner', header: words.owner, width: 124, cell: incident => <Owner incident={incident} /> },
  { id: 'kind', header: words.kind, width: 140, hidden: true, cell: incident => fr.kinds[incident.kind] },
  { id: 'hostName', header: words.host, hidden: true, cell: incident => incident.hostName ?? NOTHING },
  { id: 'probeName', header: words.probe, hidden: true, cell: incident => incident.probeName ?? NOTHING },
  {
    id: 'acknowledgedBy',
    header: words.acknowledged,
    width: 124,
    hidden: true,
    cell: incident => incident.acknowledgedBy ?? NOTHING,
  },
  {
    id: 'worst',
    header: words.worst,
    width: 112,
    hidden: true,
    cell: incident => <SeverityBadge severity={incident.worst} />,
  },
  {
    id: 'closedAt',
    header: words.closed,
    width: 150,
    align: 'right',
    hidden: true,
    cell: incident => formatDateTime(incident.closedAt),
  },
  {
    id: 'unreachable',
    header: words.unreachable,
    width: 110,
    align: 'right',
    hidden: true,
    sortable: false,
    cell: incident => count(incident.unreachable),
  },
  {
    id: 'merged',
    header: words.merged,
    width: 100,
    align: 'right',
    hidden: true,
    sortable: false,
    cell: incident => count(incident.merged),
  },
  {
    id: 'reopened',
    header: words.reopened,
    width: 112,
    align: 'right',
    hidden: true,
    cell: incident => count(incident.reopened),
  },
]
