import type { ActiveMaintenance } from '@narval/contracts'
import { IconTool } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { maintenanceWords as words } from '../i18n/maintenance.ts'
import { formatDateTime } from '../lib/format.ts'
import classes from './maintenance-mark.module.css'
import { Notice } from './notice.tsx'

export const maintenancePath = (id: number): string => `/dashboard/live-view/maintenance/${id}`

interface MarkProps {
  readonly maintenance: ActiveMaintenance
  /** The icon alone, its word on hover: beside a state in a list. */
  readonly small?: boolean
}

/** Says that something is in maintenance: icon, word and colour, its end and its comment on hover. */
export const MaintenanceMark = ({ maintenance, small = false }: MarkProps) => {
  if (maintenance === null) return null
  const told = words.mark(formatDateTime(maintenance.until), maintenance.comment)
  if (small)
    return (
      <span className={classes.icon} title={told}>
        <IconTool size={15} aria-label={told} role="img" />
      </span>
    )
  return (
    <span className={classes.mark} title={told}>
      <IconTool size={14} aria-hidden="true" />
      {words.inMaintenance}
    </span>
  )
}

/** A state in a list, with the mark of the maintenance beside it. */
export const MarkedState = ({
  maintenance,
  children,
}: Pick<MarkProps, 'maintenance'> & { readonly children: ReactNode }) => (
  <span className={classes.state}>
    {children}
    <MaintenanceMark maintenance={maintenance} small />
  </span>
)

/** On the page of what is in maintenance: until when, why, and where it is changed. */
export const MaintenanceNotice = ({ maintenance }: Pick<MarkProps, 'maintenance'>) =>
  maintenance === null ? null : (
    <div className={classes.notice}>
      <Notice
        tone="neutral"
        icon={<IconTool size={18} />}
        title={`${words.inMaintenance} ${words.until(formatDateTime(maintenance.until))}`}
      >
        <p className={classes.comment}>
          {maintenance.comment} · {words.markHelp} <Link to={maintenancePath(maintenance.id)}>{words.open}</Link>
        </p>
      </Notice>
    </div>
  )
