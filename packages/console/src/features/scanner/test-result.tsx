import { Button, CopyButton } from '@mantine/core'
import { CHECKS, type CheckDetail, type ScannerTest, type TestedValue } from '@narval/contracts'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { formatDateTime, formatMilliseconds } from '../../lib/format.ts'
import { SeverityBadge, SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import table from './small-table.module.css'
import classes from './test-result.module.css'

const { test: words } = fr

/** What a test gave: the outcome, the values with what thresholds say of them, and what was received as it came. */
export const TestResult = ({ test, outdated }: { readonly test: ScannerTest; readonly outdated: boolean }) => (
  <div className={classes.result} data-outdated={outdated || undefined}>
    <p className={classes.outcome}>
      <SeverityIcon severity={test.failure === null ? 'ok' : 'error'} size={18} />
      <strong>{test.failure === null ? fr.succeeded : fr.failed}</strong>
      <span className={classes.where}>
        {words.where(formatMilliseconds(test.durationMs), test.probe.name, formatDateTime(test.at))}
      </span>
    </p>
    {test.failure !== null && <p className={classes.failure}>{test.failure.message}</p>}
    {outdated && <p className={classes.note}>{words.outdated}</p>}
    {test.values.length > 0 && <Values values={test.values} />}
    {test.unknownKeys.length > 0 && <p className={classes.note}>{words.unknown(test.unknownKeys.join(', '))}</p>}
    {test.details.map((detail, index) => (
      <Detail key={`${index} ${detail.label}`} detail={detail} open={index === 0 && test.failure !== null} />
    ))}
  </div>
)

const Values = ({ values }: { readonly values: readonly TestedValue[] }) => (
  <div className={table.scroll}>
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{words.metric}</th>
          <th scope="col" data-right>
            {words.value}
          </th>
          <th scope="col">{words.verdict}</th>
        </tr>
      </thead>
      <tbody>
        {values.map(value => (
          <tr key={value.key}>
            <td title={value.key}>
              {value.name}
              {!value.known && <span className={classes.fresh}>{words.fresh}</span>}
            </td>
            <td data-right>{value.text}</td>
            <td>
              <Verdict value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Verdict = ({ value: { severity, crossed } }: { readonly value: TestedValue }) => {
  if (severity === null) return <span className={classes.quiet}>{words.noRate}</span>
  return (
    <span className={classes.verdict}>
      <SeverityBadge severity={severity} plain={severity === 'ok'} />
      {crossed !== null && (
        <span className={classes.quiet}>
          {crossed.side.endsWith('High') ? words.above(crossed.text) : words.below(crossed.text)}
        </span>
      )}
    </span>
  )
}

/** One thing that was received, as it came: text, whatever is in it. */
const Detail = ({ detail: { label, text }, open }: { readonly detail: CheckDetail; readonly open: boolean }) => (
  <details className={classes.detail} open={open}>
    <summary>{label}</summary>
    <div className={classes.raw}>
      <CopyButton value={text} timeout={3_000}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            className={classes.copy}
            leftSection={copied ? <IconCheck size={13} /> : <IconCopy size={13} />}
            aria-label={words.copyOf(label)}
            onClick={copy}
          >
            {copied ? words.copied : words.copy}
          </Button>
        )}
      </CopyButton>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>{text === '' ? words.empty : text}</pre>
    </div>
  </details>
)

/** Whether a kind is run by a probe at all: what is only received can't be tried. */
export const isTestable = (kind: keyof typeof CHECKS): boolean => CHECKS[kind].runner !== 'server'
