import type { HostGrid } from '@narval/contracts'
import { useMemo } from 'react'
import { groupHosts, readGrid } from '../../lib/host-cells.ts'
import { HostMosaic } from '../../ui/host-grid/host-mosaic.tsx'
import { fr } from './fr.ts'
import type { Room } from './use-room.ts'
import classes from './wall.module.css'

/** All hosts at once, by site, the worst sites first. */
export const HostsView = ({ grid, room }: { readonly grid: HostGrid | null; readonly room: Room }) => {
  const groups = useMemo(
    () =>
      grid === null
        ? []
        : groupHosts(
            readGrid(grid).filter(host => host.state !== 'disabled'),
            'site',
            { withoutType: '', worstFirst: true },
          ),
    [grid],
  )
  if (grid?.id.length === 0) return <p className={classes.fine}>{fr.noHosts}</p>
  if (room.height === 0) return null
  return (
    <HostMosaic
      groups={groups}
      label={fr.views.hosts}
      width={room.width}
      height={room.height}
      headPx={Math.round(room.em * 1.3)}
    />
  )
}
