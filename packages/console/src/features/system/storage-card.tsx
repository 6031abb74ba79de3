import type { ServiceStorage } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatBytes, formatRatio } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { sparklinePaths } from '../../lib/sparkline-path.ts'
import { Card, NotLoaded } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { storageQuery } from './service-queries.ts'
import classes from './system.module.css'

const { storage: words, retention: kept } = fr

/** What the data take and how that grows; how long each kind of them is kept. */
export const StorageCards = () => {
  const { data, error, refetch } = useQuery(storageQuery)
  if (data === undefined) return <NotLoaded error={error} onRetry={refetch} isAlone />
  return (
    <div className={classes.cards}>
      <Card
        title={words.title}
        aside={
          data.at !== null && (
            <>
              {words.measured} <Ago at={data.at} />
            </>
          )
        }
      >
        {data.at === null ? (
          <p className={classes.role}>{data.folder === '' ? words.unknown : words.waiting}</p>
        ) : (
          <Sizes storage={data} />
        )}
      </Card>
      <Card title={kept.title}>
        <Retention storage={data} />
      </Card>
    </div>
  )
}

const Sizes = ({ storage }: { readonly storage: ServiceStorage }) => {
  const { parts, disk, forecast, outsideBytes } = storage
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = parts.filter(({ part, files }) => files > 0 && !(part === 'database' && outsideBytes !== null))
  return (
    <div className={classes.sizes}>
      {disk !== null && <Disk disk={disk} ownBytes={total} />}
      <p className={classes.outlook} data-outlook={forecast.outlook}>
        {forecast.sentence}
        {forecast.outlook === 'early' && <span>{words.early}</span>}
        {forecast.bytesPerDay !== null && (
          <span>
            {words.growth}
            {'\u202f: '}
            {words.perDay(formatBytes(forecast.bytesPerDay))}
          </span>
        )}
        {forecast.from !== null && (
          <span>
            {words.basis(forecast.sizes)} <Ago at={forecast.from} />
          </span>
        )}
      </p>
      <History storage={storage} />
      <ul className={classes.parts}>
        {shown.map(({ part, bytes, files }) => (
          <li key={part}>
            <span>{words.parts[part]}</span>
            <span className={classes.files}>{words.files(files)}</span>
            <span className={classes.bytes}>{formatBytes(bytes)}</span>
            <span className={classes.bar} aria-hidden="true">
              <span style={{ inlineSize: `${total === 0 ? 0 : (bytes / total) * 100}%` }} />
            </span>
          </li>
        ))}
        {outsideBytes !== null && (
          <li>
            <span>{words.outside}</span>
            <span className={classes.bytes}>{formatBytes(outsideBytes)}</span>
          </li>
        )}
        <li className={classes.total}>
          <span>{words.total}</span>
          <span className={classes.bytes}>{formatBytes(total)}</span>
        </li>
      </ul>
    </div>
  )
}

interface DiskProps {
  readonly disk: NonNullable<ServiceStorage['disk']>
  readonly ownBytes: number
}

/** The whole disk in one bar: Narval's share of it, the others', what is left. */
const Disk = ({ disk, ownBytes }: DiskProps) => {
  const { usedBytes, freeBytes } = disk
  const whole = Math.max(1, usedBytes + freeBytes)
  const share = (bytes: number): string => `${(Math.min(bytes, whole) / whole) * 100}%`
  const level = disk.usedRatio >= 0.95 ? 'error' : disk.usedRatio >= 0.85 ? 'warning' : 'ok'
  return (
    <div className={classes.disk} data-severity={level}>
      <div className={classes.diskWords}>
        <strong>{formatRatio(disk.usedRatio)}</strong>
        <span>{words.used(formatBytes(usedBytes))}</span>
        <span className={classes.bytes}>{words.free(formatBytes(freeBytes))}</span>
      </div>
      <div className={classes.diskBar} aria-hidden="true">
        <span className={classes.own} style={{ inlineSize: share(ownBytes) }} />
        <span className={classes.others} style={{ inlineSize: share(Math.max(0, usedBytes - ownBytes)) }} />
      </div>
    </div>
  )
}

const WIDTH = 560
const HEIGHT = 44
const DAY_MS = 86_400_000

/** Sizes hour by hour as a line, once there are some; decoration, what matters stands beside it in words. */
const History = ({ storage: { history } }: { readonly storage: ServiceStorage }) => {
  const at = history.map(one => Date.parse(one.at))
  const [fromMs = 0, toMs = 0] = [at[0], at.at(-1)]
  if (toMs - fromMs < DAY_MS / 4) return null
  const paths = sparklinePaths(
    at,
    history.map(one => one.bytes),
    { fromMs, toMs, width: WIDTH, height: HEIGHT },
  )
  return (
    <figure className={classes.history}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {paths.map(path => (
          <path key={path} d={path} />
        ))}
      </svg>
      <figcaption>{words.history(Math.max(1, Math.round((toMs - fromMs) / DAY_MS)))}</figcaption>
    </figure>
  )
}

const COLLECT = new Set(['rawDays', 'fiveMinutesDays', 'hourDays', 'stateHistoryDays', 'eventDays'])
const placeOf = (setting: string): string =>
  `/system/parameter${COLLECT.has(setting) ? '' : '/configuration'}#${setting}`

const Retention = ({ storage: { retention } }: { readonly storage: ServiceStorage }) => {
  const mayChange = useSession().can('parameter_write')
  return (
    <ul className={classes.parts}>
      {retention.map(({ label, days, setting }) => (
        <li key={label}>
          <span>{label}</span>
          <span className={classes.bytes}>{kept.days(days)}</span>
          {setting !== null && mayChange && (
            <Link to={placeOf(setting)} aria-label={`${kept.change}\u202f: ${label}`}>
              {kept.change}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
