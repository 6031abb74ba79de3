import type { DashboardMain } from '@narval/contracts'
import { SEVERITIES, type Severity, totalCounts } from '@narval/engine'
import { IconPlugConnectedX, IconTool, IconUserCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fr as common } from '../../i18n/fr.ts'
import { formatNumber, formatRatio, NOTHING } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { useFreshness } from '../../ui/freshness.tsx'
import { SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './tiles.module.css'

/** What a tile narrows the list to. */
export type TileFilter = Severity | 'acknowledged' | 'inMaintenance' | null

const PROBES = '/probe/edit'

interface TilesProps {
  readonly main: DashboardMain | undefined
  readonly selected: TileFilter
  readonly onSelect: (filter: TileFilter) => void
}

/** Counters of the fleet, each a filter of the list; greyed while nothing is heard. */
export const Tiles = ({ main, selected, onSelect }: TilesProps) => {
  const stale = useFreshness('service') === 'stale'
  const seesProbes = useSession().can('probe_write')
  const total = main === undefined ? 0 : totalCounts(main.severities)
  const hintOf = (severity: Severity): string => {
    if (main === undefined || total === 0) return ''
    if (severity === 'error') return main.soft > 0 ? fr.tiles.soft(main.soft) : ''
    // Floored, so that one failure never reads 100 %.
    return severity === 'ok' ? formatRatio(Math.floor((main.severities.ok / total) * 1_000) / 1_000) : ''
  }
  return (
    <section
      className={classes.tiles}
      data-stale={stale || undefined}
      aria-label={stale ? fr.tiles.stale : fr.tiles.label}
    >
      {SEVERITIES.map(severity => (
        <Tile
          key={severity}
          severity={severity}
          icon={<SeverityIcon severity={severity} />}
          label={common.severity[severity]}
          count={main?.severities[severity]}
          hint={hintOf(severity)}
          selected={selected === severity}
          onClick={() => onSelect(selected === severity ? null : severity)}
        />
      ))}
      <Tile
        icon={<IconUserCheck size={17} stroke={1.8} />}
        label={fr.tiles.acknowledged}
        count={main?.acknowledged}
        selected={selected === 'acknowledged'}
        onClick={() => onSelect(selected === 'acknowledged' ? null : 'acknowledged')}
      />
      <Tile
        icon={<IconTool size={17} stroke={1.8} />}
        label={fr.tiles.inMaintenance}
        count={main?.inMaintenance}
        selected={selected === 'inMaintenance'}
        onClick={() => onSelect(selected === 'inMaintenance' ? null : 'inMaintenance')}
      />
      <Tile
        icon={<IconPlugConnectedX size={17} stroke={1.8} />}
        label={fr.tiles.probesOffline}
        count={main?.probesOffline}
        hint={main === undefined ? '' : fr.tiles.of(main.probes)}
        alarming={(main?.probesOffline ?? 0) > 0}
        {...(seesProbes && { to: PROBES })}
      />
    </section>
  )
}

interface TileProps {
  readonly icon: ReactNode
  readonly label: string
  readonly count: number | undefined
  readonly hint?: string
  readonly severity?: Severity
  readonly selected?: boolean
  readonly alarming?: boolean
  readonly onClick?: () => void
  /** Where it leads instead of narrowing the list. */
  readonly to?: string
}

const Tile = (props: TileProps) => {
  const { icon, label, count, hint = '', severity, selected = false, alarming = false, onClick, to } = props
  const content = (
    <>
      <span className={classes.label}>
        {icon}
        <span className={classes.name}>{label}</span>
      </span>
      <span className={classes.count}>{count === undefined ? NOTHING : formatNumber(count, 0)}</span>
      <span className={classes.hint}>{hint}</span>
    </>
  )
  const look = {
    className: classes.tile,
    'data-severity': alarming ? 'error' : severity,
    'data-bad': alarming || (severity !== 'ok' && (count ?? 0) > 0 && severity !== undefined) || undefined,
  }
  if (to !== undefined)
    return (
      <Link {...look} to={to}>
        {content}
      </Link>
    )
  if (onClick === undefined) return <div {...look}>{content}</div>
  return (
    <button type="button" {...look} aria-pressed={selected} onClick={onClick}>
      {content}
    </button>
  )
}
