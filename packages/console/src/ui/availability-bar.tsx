import { availability as words } from '../i18n/availability.ts'
import { type TimePart, type TimeReason, type Times, timeParts } from '../lib/availability.ts'
import { formatDuration, formatRatio } from '../lib/format.ts'
import classes from './availability-bar.module.css'

const textOf = ({ reason, ms, share }: TimePart): string =>
  words.share(words.reasons[reason], formatDuration(ms), formatRatio(share, 2))

interface TimesProps {
  readonly times: Times
}

/** The time of a period as one bar of what it counts as; read out in words. */
export const AvailabilityBar = ({ times, large = false }: TimesProps & { readonly large?: boolean }) => {
  const parts = timeParts(times)
  return (
    <span className={classes.bar} data-large={large || undefined} role="img" aria-label={parts.map(textOf).join(', ')}>
      {parts.map(part => (
        <span
          key={part.reason}
          className={classes.part}
          data-reason={part.reason}
          style={{ width: `${part.share * 100}%` }}
          title={textOf(part)}
        />
      ))}
    </span>
  )
}

/** What the colours of a bar stand for, each with its time. */
export const AvailabilityLegend = ({ times }: TimesProps) => (
  <ul className={classes.legend}>
    {timeParts(times).map(({ reason, ms, share }) => (
      <li key={reason}>
        <span className={classes.swatch} data-reason={reason} aria-hidden="true" />
        <span>{words.reasons[reason]}</span>
        <span>
          {formatDuration(ms)} · {formatRatio(share, 2)}
        </span>
      </li>
    ))}
  </ul>
)

/** What a stretch of time counts as, in its colour and its word. */
export const ReasonMark = ({ reason }: { readonly reason: TimeReason }) => (
  <span className={classes.reason}>
    <span className={classes.swatch} data-reason={reason} aria-hidden="true" />
    {words.reasons[reason]}
  </span>
)
