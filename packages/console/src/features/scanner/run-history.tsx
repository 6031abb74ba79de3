import { Button, Text } from '@mantine/core'
import type { Scanner, ScannerRun } from '@narval/contracts'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { formatDateTime, formatMilliseconds, formatRatio, NOTHING } from '../../lib/format.ts'
import { SeverityIcon } from '../../ui/severity.tsx'
import { fr } from './fr.ts'
import classes from './run-history.module.css'
import { useScannerRuns } from './scanner-queries.ts'
import table from './small-table.module.css'

const { runs: words } = fr

/** The last runs of a scanner: a bar each, as high as it took, then what failed in words, and all of them on demand. */
export const RunHistory = ({ scanner }: { readonly scanner: Scanner }) => {
  const { data, isError } = useScannerRuns(scanner.id)
  const [open, setOpen] = useState(false)
  const id = useId()
  if (isError) return <Text size="sm">{words.loadFailed}</Text>
  if (data === undefined) return <div className={classes.waiting} />
  if (data.runs.length === 0) return null
  return (
    <div className={classes.history}>
      <RunBars runs={data.runs} missed={data.missed} />
      <Failures runs={data.runs} />
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={open}
        aria-controls={id}
        rightSection={open ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        onClick={() => setOpen(!open)}
      >
        {open ? words.hide : words.show(data.runs.length)}
      </Button>
      <div id={id}>{open && <RunTable runs={data.runs} />}</div>
    </div>
  )
}

/** A run that took no time is still seen. */
const LEAST = 0.12

const RunBars = ({ runs, missed }: { readonly runs: readonly ScannerRun[]; readonly missed: number }) => {
  const longest = Math.max(...runs.map(run => run.durationMs ?? 0), 1)
  const failed = runs.filter(run => !run.succeeded).length
  const oldest = runs.at(-1)
  const summary = [
    words.count(runs.length),
    failed === 0 ? words.noneFailed : words.failedShare(failed, formatRatio(failed / runs.length)),
    ...(missed === 0 ? [] : [words.missed(missed)]),
  ].join(' · ')
  return (
    <figure className={classes.figure}>
      <div className={classes.bars} role="img" aria-label={summary}>
        {runs.toReversed().map(run => (
          <span
            key={run.at}
            className={classes.bar}
            data-failed={!run.succeeded || undefined}
            data-unknown={run.durationMs === null || undefined}
            style={{ height: `${Math.round(100 * Math.max(LEAST, (run.durationMs ?? 0) / longest))}%` }}
            title={runTitle(run)}
          />
        ))}
      </div>
      <figcaption className={classes.caption}>
        <span>{oldest === undefined ? '' : formatDateTime(oldest.at)}</span>
        <span>{summary}</span>
        <span>{words.longest(formatMilliseconds(longest))}</span>
      </figcaption>
    </figure>
  )
}

const runTitle = (run: ScannerRun): string =>
  [
    formatDateTime(run.at),
    run.durationMs === null ? null : formatMilliseconds(run.durationMs),
    run.succeeded ? fr.succeeded : failureText(run),
    run.probeName,
  ]
    .filter(part => part !== null)
    .join(' · ')

const failureText = (run: ScannerRun): string => run.failure?.message ?? words.forgotten

interface Stretch {
  readonly from: string
  readonly to: string
  readonly text: string
  readonly count: number
}

/** Runs that failed alike one after the other, the newest first. */
const stretchesOf = (runs: readonly ScannerRun[]): Stretch[] => {
  const found: Stretch[] = []
  let before: ScannerRun | null = null
  for (const run of runs) {
    const last = found.at(-1)
    const text = failureText(run)
    if (!run.succeeded && last !== undefined && before?.succeeded === false && last.text === text)
      found[found.length - 1] = { ...last, from: run.at, count: last.count + 1 }
    else if (!run.succeeded) found.push({ from: run.at, to: run.at, text, count: 1 })
    before = run
  }
  return found
}
const STRETCHES_SHOWN = 4

const Failures = ({ runs }: { readonly runs: readonly ScannerRun[] }) => {
  const stretches = stretchesOf(runs)
  if (stretches.length === 0) return null
  return (
    <ul className={classes.failures}>
      {stretches.slice(0, STRETCHES_SHOWN).map(({ from, to, text, count }) => (
        <li key={to}>
          <SeverityIcon severity="error" size={14} label={fr.failed} />
          <span>{text}</span>
          <span className={classes.when}>
            {count === 1 ? formatDateTime(to) : words.stretch(count, formatDateTime(from), formatDateTime(to))}
          </span>
        </li>
      ))}
      {stretches.length > STRETCHES_SHOWN && (
        <li className={classes.when}>{words.more(stretches.length - STRETCHES_SHOWN)}</li>
      )}
    </ul>
  )
}

const RunTable = ({ runs }: { readonly runs: readonly ScannerRun[] }) => (
  <div className={table.scroll}>
    <table className={`${table.table} ${classes.runs}`}>
      <thead>
        <tr>
          <th scope="col">{words.at}</th>
          <th scope="col">{words.outcome}</th>
          <th scope="col" data-right>
            {words.duration}
          </th>
          <th scope="col">{words.probe}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(run => (
          <tr key={run.at}>
            <td>{formatDateTime(run.at)}</td>
            <td>
              <span className={classes.outcome}>
                <SeverityIcon severity={run.succeeded ? 'ok' : 'error'} size={14} />
                {run.succeeded ? fr.succeeded : failureText(run)}
              </span>
            </td>
            <td data-right>{run.durationMs === null ? NOTHING : formatMilliseconds(run.durationMs)}</td>
            <td>{run.probeName ?? NOTHING}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
