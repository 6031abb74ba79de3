import { Button } from '@mantine/core'
import { type Scanner, type ScannerTestInput, scannerRoutes, TEST_MARGIN_MS } from '@narval/contracts'
import { IconAlertTriangle, IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { ApiError, call } from '../../lib/api.ts'
import { readProblem } from '../../lib/form-problem.ts'
import { formatDuration } from '../../lib/format.ts'
import { probeOptions } from '../../lib/option-sources.ts'
import { useSession } from '../../lib/session.ts'
import { FormSection, Wide } from '../../ui/form-shell.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RemoteSelect } from '../../ui/remote-select.tsx'
import type { ScheduleDefaults } from '../../ui/use-schedule-defaults.ts'
import { fr } from './fr.ts'
import type { ScannerFormHandle } from './inherited-settings.tsx'
import classes from './test-panel.module.css'
import { TestResult } from './test-result.tsx'

const { test: words } = fr
/** For the server's own answer, beside the time that the check and its order may take. */
const ANSWER_MS = 5_000
const TESTED = ['kind', 'hostId', 'parameters', 'timeoutMs'] as const

interface TestPanelProps {
  readonly form: ScannerFormHandle
  /** Null: it is not saved yet. */
  readonly scanner: Scanner | null
  readonly defaults: ScheduleDefaults
}

/** « Tester maintenant »: runs what is typed once, from the probe that would run it or another; nothing is saved. */
export const TestPanel = ({ form, scanner, defaults }: TestPanelProps) => {
  const { can } = useSession()
  const [probeId, setProbeId] = useState<number | null>(null)
  const cancel = useRef<AbortController | null>(null)
  const typed = useWatch({ control: form.control, name: [...TESTED, 'probeId'] })
  const [kind, hostId, parameters, timeoutMs, ownProbe] = typed
  const from = probeId ?? ownProbe ?? null
  const mark = JSON.stringify([kind, hostId, parameters, timeoutMs, from])
  const limitMs = (typeof timeoutMs === 'number' ? timeoutMs : defaults.timeoutMs) + TEST_MARGIN_MS + ANSWER_MS
  const testing = useMutation({
    mutationFn: async (body: ScannerTestInput) => {
      cancel.current = new AbortController()
      const result = await call(scannerRoutes.test, { body, signal: cancel.current.signal, timeoutMs: limitMs })
      return { result, mark }
    },
    onError: error => {
      if (!(error instanceof ApiError)) return
      for (const { path, message } of readProblem(error.problem, [...TESTED]).fields)
        form.setError(asPath(path), { type: 'server', message })
    },
  })
  // Whoever leaves the page waits for nothing any more.
  useEffect(() => () => cancel.current?.abort(), [])
  const start = async (): Promise<void> => {
    if (!(await form.trigger([...TESTED]))) return void testing.reset()
    testing.mutate({
      ...(scanner === null ? {} : { id: scanner.id }),
      ...{ kind, hostId, parameters: { ...parameters }, timeoutMs: timeoutMs ?? null, probeId: from },
    })
  }
  const stop = (): void => {
    cancel.current?.abort()
    testing.reset()
  }
  const { errors } = form.formState
  const isWrong = TESTED.some(name => errors[name] !== undefined)
  return (
    <FormSection title={words.title} help={words.help}>
      <Wide>
        <div className={classes.start}>
          {can('probe_write') && (
            <RemoteSelect
              label={words.from}
              source={probeOptions}
              value={probeId}
              onChange={setProbeId}
              placeholder={words.usualProbe}
            />
          )}
          {testing.isPending ? (
            <Button variant="default" onClick={stop}>
              {words.cancel}
            </Button>
          ) : (
            <Button variant="light" leftSection={<IconPlayerPlay size={16} />} onClick={() => void start()}>
              {words.start}
            </Button>
          )}
          {testing.isPending && <Elapsed limitMs={limitMs} />}
        </div>
      </Wide>
      <Wide>
        <div aria-live="polite">
          {!testing.isPending && isWrong && <p className={classes.hint}>{words.correct}</p>}
          {testing.isError && !isAborted(testing.error) && (
            <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.notDone}>
              <p>{whyNot(testing.error)}</p>
            </Notice>
          )}
          {testing.isSuccess && <TestResult test={testing.data.result} outdated={testing.data.mark !== mark} />}
        </div>
      </Wide>
    </FormSection>
  )
}

const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
/** A server that went away in the middle says nothing itself. */
const whyNot = (error: unknown): string =>
  error instanceof ApiError ? (error.status === 0 ? words.serverGone : error.message) : words.serverGone

type Path = Parameters<ScannerFormHandle['setError']>[0]
/** The one cast: `readProblem` gives only paths that begin with one of the fields asked. */
const asPath = (path: string): Path => path as Path

const TICK_MS = 1_000
/** How long it has been under way, of how long it may take. */
const Elapsed = ({ limitMs }: { readonly limitMs: number }) => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(before => before + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className={classes.hint} role="status">
      {words.running} {seconds > 0 && words.elapsed(formatDuration(seconds * 1_000), formatDuration(limitMs))}
    </span>
  )
}
