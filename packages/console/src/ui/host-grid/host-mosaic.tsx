import { useMemo, useRef } from 'react'
import { type GridGroup, layoutGrid, sideThatFits } from '../../lib/grid-layout.ts'
import type { HostCell } from '../../lib/host-cells.ts'
import classes from './host-grid.module.css'
import { usePainted } from './use-painted.ts'

interface HostMosaicProps {
  readonly groups: readonly GridGroup<HostCell>[]
  readonly label: string
  readonly width: number
  readonly height: number
  /** Height of a group's name, px: it grows with the screen. */
  readonly headPx: number
}

const SIZES = { gap: 2, betweenPx: 10, most: 72 }
/** Smaller, a shape is no more told from another: names go first. */
const LEAST_GROUPED_PX = 9
const LEAST_PX = 3

/** All hosts in one picture that fits, in the largest cells that do; without names of groups where these take too much. */
export const HostMosaic = ({ groups, label, width, height, headPx }: HostMosaicProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const counts = groups.map(group => group.hosts.length)
  const key = counts.join(',')
  const { layout, isGrouped } = useMemo(() => {
    const own = key === '' ? [] : key.split(',').map(Number)
    const sizes = { ...SIZES, width, height }
    const side = sideThatFits(own, { ...sizes, headPx, least: LEAST_GROUPED_PX })
    const grouped = layoutGrid(own, { ...sizes, headPx, side })
    if (grouped.height <= height) return { layout: grouped, isGrouped: true }
    const all = [own.reduce((sum, count) => sum + count, 0)]
    const small = sideThatFits(all, { ...sizes, headPx: 0, least: LEAST_PX })
    return { layout: layoutGrid(all, { ...sizes, headPx: 0, side: small }), isGrouped: false }
  }, [key, width, height, headPx])
  const hosts = useMemo(() => groups.flatMap(group => group.hosts), [groups])
  const seen = useMemo(() => ({ top: 0, width, height }), [width, height])
  usePainted(canvas, layout, hosts, seen, -1)
  return (
    <div className={classes.whole} style={{ height }}>
      <canvas ref={canvas} className={classes.canvas} style={{ width, height }} role="img" aria-label={label} />
      {isGrouped &&
        layout.groups.map((placed, index) => (
          <p
            key={groups[index]?.key}
            className={classes.head}
            style={{
              ...{ top: placed.top, left: placed.left, maxWidth: layout.blockWidth },
              ...{ height: headPx, fontSize: headPx * 0.62 },
            }}
          >
            <strong>{groups[index]?.name}</strong>
          </p>
        ))}
    </div>
  )
}
