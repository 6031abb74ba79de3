import type { Severity } from '@narval/engine'
import { useQuery } from '@tanstack/react-query'
import { fetchLastHour } from '../lib/metric-series.ts'
import { sparklinePaths } from '../lib/sparkline-path.ts'
import classes from './sparkline.module.css'

const WIDTH = 96
const HEIGHT = 24
const REFRESH_MS = 60_000

interface SparklineProps {
  readonly metricId: number
  readonly severity: Severity
}

/** The last hour of a metric as a line; gaps are gaps. Decoration: the value stands beside it. */
export const Sparkline = ({ metricId, severity }: SparklineProps) => {
  const { data } = useQuery({
    queryKey: ['sparkline', metricId],
    queryFn: () => fetchLastHour(metricId),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  })
  const to = Date.now()
  const paths =
    data == null
      ? []
      : sparklinePaths(data.at, data.value, { fromMs: to - 3_600_000, toMs: to, width: WIDTH, height: HEIGHT })
  return (
    <svg
      className={classes.line}
      data-severity={severity}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      {paths.map(path => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}
