import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { formatAgo, formatDateTime } from '../../lib/format.ts'
import { LIST_KEY } from '../../ui/live-rows.ts'
import { useTicking } from '../../ui/time.tsx'
import classes from './availability.module.css'
import { fr } from './fr.ts'

/** First part of the query key of every report. */
export const REPORT_KEY = 'availability'
/** A report of a time that goes on is out of date so soon: its times are shown to the minute. */
const STALE_MS = 60_000
const clock = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'medium' })

interface ReportAgeProps {
  readonly computedAt: string
  /** End of its period. */
  readonly ends: Date
  /** The list whose rows come along; none: a report without rows. */
  readonly list?: string
}

/** When figures were computed: a report does not move by itself. As soon as there is newer, how old it is and a way to it. */
export const ReportAge = ({ computedAt, ends, list }: ReportAgeProps) => {
  const client = useQueryClient()
  const isFetching = useIsFetching({ queryKey: [REPORT_KEY] }) > 0
  const madeMs = Date.parse(computedAt)
  // Of a time that was over, all was told.
  const goesOn = ends.getTime() > madeMs
  const ago = useTicking(nowMs => (goesOn && nowMs - madeMs >= STALE_MS ? formatAgo(madeMs, nowMs) : ''))
  const isToday = useTicking(nowMs => new Date(nowMs).toDateString() === new Date(madeMs).toDateString())
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: [REPORT_KEY] })
    if (list !== undefined) void client.invalidateQueries({ queryKey: [LIST_KEY, list] })
  }
  return (
    <span title={formatDateTime(computedAt)}>
      {isToday ? fr.age.at(clock.format(madeMs)) : fr.age.on(formatDateTime(computedAt))}
      {ago !== '' && (
        <>
          {`, ${ago}`}
          <Button
            className={classes.refresh}
            size="compact-xs"
            variant="light"
            loading={isFetching}
            leftSection={<IconRefresh size={13} />}
            title={fr.age.refreshHelp}
            onClick={refresh}
          >
            {fr.age.refresh}
          </Button>
        </>
      )}
    </span>
  )
}
