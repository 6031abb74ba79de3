import { Checkbox, Modal, Select, Stack, Textarea } from '@mantine/core'
import { ACKNOWLEDGE_COMMENT_MAX, type IncidentBulkReply } from '@narval/contracts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { acting as words } from '../i18n/acting.ts'
import { type ActTargets, changeIncidents, useActing } from './acting.ts'
import { DialogActions } from './dialog-actions.tsx'
import { OwnerSelect } from './owner-select.tsx'
import { errorText } from './page.tsx'

interface AcknowledgeDialogProps {
  /** Null: closed. */
  readonly targets: ActTargets | null
  readonly onClose: () => void
  readonly onDone?: () => void
}

const KEEP = '-'
const NOBODY = '--'
const DEFAULT = 'default'
const RECOVERY = 'recovery'
const DURATIONS = [DEFAULT, '1', '4', '8', '24', '72', '168', RECOVERY] as const
type Duration = (typeof DURATIONS)[number]

/** Asks for the mandatory comment and how long it holds, of one incident or of many; what was typed stays when it is refused. */
export const AcknowledgeDialog = ({ targets, onClose, onDone }: AcknowledgeDialogProps) => (
  <Modal
    opened={targets !== null}
    onClose={onClose}
    title={<strong>{targets === null ? '' : words.acknowledgeTitle(targets.what)}</strong>}
    centered
  >
    {targets !== null && <AcknowledgeForm targets={targets} onClose={onClose} onDone={onDone} />}
  </Modal>
)

const untilOf = (duration: Duration): { readonly until?: string | null } => {
  if (duration === DEFAULT) return {}
  if (duration === RECOVERY) return { until: null }
  return { until: new Date(Date.now() + Number(duration) * 3_600_000).toISOString() }
}
const ownerOf = (owner: string): { readonly owner?: string | null } =>
  owner === KEEP ? {} : { owner: owner === NOBODY ? null : owner }

/** How many incidents are meant, and how long the rules of each have it hold when nothing is said. */
const usePlan = (targets: ActTargets) =>
  useQuery({
    queryKey: ['acknowledge-plan', targets],
    queryFn: () => changeIncidents(targets, { acknowledge: { comment: '-', sticky: false } }, true),
    staleTime: 0,
    gcTime: 0,
  })

interface FormProps {
  readonly targets: ActTargets
  readonly onClose: () => void
  readonly onDone: (() => void) | undefined
}

const AcknowledgeForm = ({ targets, onClose, onDone }: FormProps) => {
  const acting = useActing()
  const plan = usePlan(targets)
  const [comment, setComment] = useState('')
  const [duration, setDuration] = useState<Duration>(DEFAULT)
  const [sticky, setSticky] = useState(false)
  const [owner, setOwner] = useState<string>(KEEP)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (comment.trim() === '') return setError(words.commentRequired)
    setBusy(true)
    try {
      const acknowledge = { comment: comment.trim(), sticky, ...untilOf(duration), ...ownerOf(owner) }
      acting.say(await changeIncidents(targets, { acknowledge }, false), words.acknowledged)
      await acting.settle()
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
        <Planned targets={targets} plan={plan.data} error={plan.error} />
        <Textarea
          label={words.commentLabel}
          description={words.commentHelp}
          value={comment}
          onChange={event => setComment(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
          error={error}
          maxLength={ACKNOWLEDGE_COMMENT_MAX}
          rows={3}
          required
          data-autofocus
        />
        <Select
          label={words.lasts}
          description={words.lastsHelp}
          allowDeselect={false}
          value={duration}
          onChange={value => setDuration(DURATIONS.find(one => one === value) ?? DEFAULT)}
          data={DURATIONS.map(value => ({
            value,
            label: value === DEFAULT ? words.byDefault(plan.data?.hours ?? null) : words.durations[value],
          }))}
        />
        <OwnerSelect
          targets={targets}
          value={owner}
          onChange={value => setOwner(value ?? KEEP)}
          first={[
            { value: KEEP, label: words.ownerKeep },
            { value: NOBODY, label: words.ownerNobody },
          ]}
        />
        <Checkbox
          label={words.sticky}
          description={words.stickyHelp}
          checked={sticky}
          onChange={event => setSticky(event.currentTarget.checked)}
        />
        <DialogActions onCancel={onClose} submit={words.acknowledge} busy={busy} mt="xs" />
      </Stack>
    </form>
  )
}

interface PlannedProps {
  readonly targets: ActTargets
  readonly plan: IncidentBulkReply | undefined
  readonly error: Error | null
}

/** How many incidents are meant, where that is not plain. */
const Planned = ({ targets, plan, error }: PlannedProps) => {
  const isOne = targets.of === 'incident' && 'ids' in targets.target && targets.target.ids.length === 1
  if (isOne) return null
  if (plan === undefined) return <p role="status">{error === null ? words.counting : errorText(error)}</p>
  const { changed, refused } = plan
  return (
    <p role="status">
      {changed === 0 ? words.nothing : words.planned(changed)} {refused > 0 && words.refused(refused)}
    </p>
  )
}
