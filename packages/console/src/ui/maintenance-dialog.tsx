import { Checkbox, Modal, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { type MaintenanceTargets, maintenanceRoutes } from '@narval/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { maintenanceWords as words } from '../i18n/maintenance.ts'
import { call } from '../lib/api.ts'
import { fromLocalInput, toLocalInput } from '../lib/local-time.ts'
import { DialogActions } from './dialog-actions.tsx'
import { LIST_KEY } from './live-rows.ts'
import { errorText } from './page.tsx'
import { showToast } from './toast.ts'

interface MaintenanceDialogProps {
  /** Null: closed. */
  readonly targets: MaintenanceTargets | null
  /** « srv-1 », « 12 équipements »: told in the title. */
  readonly what?: string
  readonly onClose: () => void
  readonly onDone?: (() => void) | undefined
}

/** Plans a maintenance of a row or of a selection: why, and how long; what was typed stays when it is refused. */
export const MaintenanceDialog = ({ targets, what, onClose, onDone }: MaintenanceDialogProps) => (
  <Modal
    opened={targets !== null}
    onClose={onClose}
    title={<strong>{what === undefined ? words.plan : words.planOf(what)}</strong>}
    centered
  >
    {targets !== null && <DialogForm targets={targets} onClose={onClose} onDone={onDone} />}
  </Modal>
)

const DURATIONS = ['30', '60', '120', '240', '480', '1440', 'dates'] as const
type Duration = (typeof DURATIONS)[number]
const HOUR_MS = 3_600_000

const scheduleOf = (duration: Duration, from: string, to: string) => {
  const nowMs = Date.now()
  if (duration !== 'dates') {
    const end = nowMs + Number(duration) * 60_000
    return { kind: 'one-off' as const, from: new Date(nowMs).toISOString(), to: new Date(end).toISOString() }
  }
  const [start, end] = [fromLocalInput(from), fromLocalInput(to)]
  return start === null || end === null ? null : { kind: 'one-off' as const, from: start, to: end }
}

interface FormProps {
  readonly targets: MaintenanceTargets
  readonly onClose: () => void
  readonly onDone: (() => void) | undefined
}

const DialogForm = ({ targets, onClose, onDone }: FormProps) => {
  const client = useQueryClient()
  const [comment, setComment] = useState('')
  const [duration, setDuration] = useState<Duration>('120')
  const [from, setFrom] = useState(() => toLocalInput(Date.now()))
  const [to, setTo] = useState(() => toLocalInput(Date.now() + 2 * HOUR_MS))
  const [propagate, setPropagate] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const schedule = scheduleOf(duration, from, to)
    if (comment.trim() === '' || schedule === null) return setError(words.commentRequired)
    setBusy(true)
    try {
      const made = await call(maintenanceRoutes.create, {
        body: { ...targets, comment: comment.trim(), schedule, propagate },
        timeoutMs: 60_000,
      })
      void showToast({
        title: made.state === 'running' ? words.started : words.planned,
        message: words.covers(made.covered.hosts, made.covered.metrics),
        color: 'green',
      })
      await client.invalidateQueries({ queryKey: [LIST_KEY] })
      onDone?.()
      onClose()
    } catch (fault) {
      setError(errorText(fault))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)} noValidate>
      <Stack gap="sm">
        <Covers targets={targets} propagate={propagate} />
        <Textarea
          label={words.comment}
          description={words.commentHelp}
          value={comment}
          onChange={event => setComment(event.currentTarget.value)}
          error={error}
          maxLength={500}
          rows={2}
          required
          data-autofocus
        />
        <Select
          label={words.lasts}
          description={words.lastsHelp}
          allowDeselect={false}
          value={duration}
          onChange={value => setDuration(DURATIONS.find(one => one === value) ?? '120')}
          data={DURATIONS.map(value => ({ value, label: words.durations[value] }))}
        />
        {duration === 'dates' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              type="datetime-local"
              label={words.from}
              value={from}
              onChange={event => setFrom(event.currentTarget.value)}
              required
            />
            <TextInput
              type="datetime-local"
              label={words.to}
              value={to}
              onChange={event => setTo(event.currentTarget.value)}
              required
            />
          </SimpleGrid>
        )}
        <Checkbox
          label={words.propagate}
          description={words.propagateHelp}
          checked={propagate}
          onChange={event => setPropagate(event.currentTarget.checked)}
        />
        {targets.filter === undefined && (
          <Link to={`/dashboard/live-view/maintenance/new?${namedQuery(targets)}`}>{words.more}</Link>
        )}
        <DialogActions onCancel={onClose} submit={words.submit} busy={busy} mt="xs" />
      </Stack>
    </form>
  )
}

/** The objects as the page of a new maintenance takes them. */
const namedQuery = ({ sites = [], hosts = [], metrics = [] }: MaintenanceTargets): string =>
  new URLSearchParams([
    ...sites.map(id => ['site', String(id)]),
    ...hosts.map(id => ['host', String(id)]),
    ...metrics.map(id => ['metric', String(id)]),
  ]).toString()

/** How much is meant. */
const Covers = ({ targets, propagate }: { readonly targets: MaintenanceTargets; readonly propagate: boolean }) => {
  const preview = useQuery({
    queryKey: ['maintenance-preview', targets, propagate],
    queryFn: ({ signal }) => {
      const [from, to] = [Date.now(), Date.now() + HOUR_MS].map(ms => new Date(ms).toISOString())
      const schedule = { kind: 'one-off' as const, from: from ?? '', to: to ?? '' }
      return call(maintenanceRoutes.preview, { body: { ...targets, schedule, propagate }, signal, timeoutMs: 60_000 })
    },
    staleTime: 0,
    gcTime: 0,
  })
  const { data, error } = preview
  if (data === undefined) return <p role="status">{error === null ? words.counting : errorText(error)}</p>
  return <p role="status">{words.covers(data.hosts, data.metrics)}</p>
}
