import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CHECKS, type Scanner, scannerRoutes } from '@narval/contracts'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { formatDuration, formatMilliseconds } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { SeverityBadge } from '../../ui/severity.tsx'
import { Ago } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { RunHistory } from './run-history.tsx'
import { useFollowScanner, useScannerState } from './scanner-queries.ts'
import classes from './scanner-state.module.css'

const { state: words } = fr
const clock = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'medium' })

/** What the last run gave, or why there was none. */
export const RunResult = ({ scanner }: { readonly scanner: Scanner }) => {
  if (!scanner.enabled) return <span>{fr.disabled}</span>
  if (scanner.lastRun === null) return <span>{fr.never}</span>
  return scanner.lastError === null ? (
    <SeverityBadge severity="ok">{fr.succeeded}</SeverityBadge>
  ) : (
    <span title={scanner.lastError}>
      <SeverityBadge severity="error">{fr.failed}</SeverityBadge>
    </span>
  )
}

/** « vers 14:32:10 · dans 12 s »; once that is well past, that it is late. */
export const NextRun = ({ scanner, brief = false }: { readonly scanner: Scanner; readonly brief?: boolean }) => {
  const { nextRun, effective } = scanner
  if (nextRun === null) return <span>{brief ? '' : whyNone(scanner)}</span>
  const isLate = Date.now() - Date.parse(nextRun) > effective.timeoutMs
  if (isLate)
    return (
      <span className={classes.late}>
        {words.late} <Ago at={nextRun} />
      </span>
    )
  return brief ? (
    <Ago at={nextRun} />
  ) : (
    <span>
      {words.around(clock.format(new Date(nextRun)))} · <Ago at={nextRun} />
    </span>
  )
}

const whyNone = (scanner: Scanner): string => {
  if (CHECKS[scanner.kind].runner === 'server') return words.receives
  if (!scanner.enabled) return words.none
  if (scanner.effective.probeId === null) return words.noProbe
  return scanner.lastRun === null ? words.soon : words.unknown
}

/** How a scanner fares: its last run, its next one, those before, and a button to run it now. */
export const ScannerState = ({ scanner: loaded }: { readonly scanner: Scanner }) => {
  useFollowScanner(loaded)
  const scanner = useScannerState(loaded)
  const { intervalSeconds, retryIntervalSeconds } = scanner.effective
  const facts: readonly Fact[] = [
    { label: words.result, value: <RunResult scanner={scanner} /> },
    { label: words.last, value: scanner.lastRun === null ? null : <Ago at={scanner.lastRun} /> },
    {
      label: words.duration,
      value: scanner.lastDurationMs === null ? null : formatMilliseconds(scanner.lastDurationMs),
    },
    { label: words.next, value: <NextRun scanner={scanner} /> },
    {
      label: words.every,
      value: words.schedule(formatDuration(intervalSeconds * 1_000), formatDuration(retryIntervalSeconds * 1_000)),
    },
    {
      label: words.probe,
      value:
        scanner.standIn === null ? scanner.probeName : words.standIn(scanner.standIn.name, scanner.probeName ?? ''),
    },
  ]
  return (
    <Card title={words.title} aside={<CheckNow scanner={scanner} />} className={classes.card}>
      <Facts facts={facts} />
      {scanner.enabled && scanner.lastError !== null && (
        <p className={classes.error} role="status">
          {scanner.lastError}
        </p>
      )}
      <RunHistory scanner={scanner} />
    </Card>
  )
}

const CheckNow = ({ scanner }: { readonly scanner: Scanner }) => {
  const { canOn } = useSession()
  const asking = useMutation({
    mutationFn: () => call(scannerRoutes.check, { params: { id: scanner.id } }),
    onSuccess: ({ probes }) => {
      notifications.show({
        message: probes === 0 ? words.noProbe : words.asked,
        color: probes === 0 ? 'orange' : 'blue',
      })
    },
    onError: error => {
      notifications.show({ title: words.notAsked, message: errorText(error), color: 'red' })
    },
  })
  if (!canOn(scanner, 'incident_write') || !scanner.enabled || CHECKS[scanner.kind].runner === 'server') return null
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={<IconRefresh size={15} />}
      loading={asking.isPending}
      onClick={() => asking.mutate()}
    >
      {words.check}
    </Button>
  )
}
