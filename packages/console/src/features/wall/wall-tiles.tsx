import type { Wall } from '@narval/contracts'
import { SEVERITIES } from '@narval/engine'
import { IconPlugConnectedX, IconTool, IconUserCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { formatNumber } from '../../lib/format.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './wall.module.css'

/** The counters of the live view, large. */
export const WallTiles = ({ wall }: { readonly wall: Wall }) => (
  <section className={classes.tiles} aria-label={fr.tiles.label}>
    {SEVERITIES.map(severity => (
      <Tile
        key={severity}
        severity={severity}
        bad={severity !== 'ok' && wall.severities[severity] > 0}
        icon={<SeverityIcon severity={severity} />}
        label={common.severity[severity]}
        count={wall.severities[severity]}
      />
    ))}
    <Tile icon={<IconUserCheck />} label={fr.tiles.acknowledged} count={wall.acknowledged} />
    <Tile icon={<IconTool />} label={fr.tiles.inMaintenance} count={wall.inMaintenance} />
    <Tile
      icon={<IconPlugConnectedX />}
      label={fr.tiles.probesOffline}
      count={wall.probesOffline}
      {...(wall.probesOffline > 0 && { severity: 'error', bad: true })}
    />
  </section>
)

interface TileProps {
  readonly icon: ReactNode
  readonly label: string
  readonly count: number
  readonly severity?: string
  readonly bad?: boolean
}

const Tile = ({ icon, label, count, severity, bad = false }: TileProps) => (
  <div className={classes.tile} data-severity={severity} data-bad={bad || undefined}>
    <span className={classes.label}>
      {icon}
      {label}
    </span>
    <span className={classes.count}>{formatNumber(count, 0)}</span>
  </div>
)
