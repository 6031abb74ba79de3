import { Button, Group, Modal, Textarea } from '@mantine/core'
import { acknowledgementRoutes, type ProblemRow } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { call } from '../../lib/api.ts'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

interface AcknowledgeDialogProps {
  /** Null: closed. */
  readonly problem: ProblemRow | null
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks for the mandatory comment; what was typed stays when the server refuses. */
export const AcknowledgeDialog = ({ problem, onClose, onDone }: AcknowledgeDialogProps) => (
  <Modal opened={problem !== null} onClose={onClose} title={fr.acknowledge.title} centered>
    {problem !== null && <AcknowledgeForm key={problem.id} problem={problem} onClose={onClose} onDone={onDone} />}
  </Modal>
)

const AcknowledgeForm = ({ problem, onClose, onDone }: AcknowledgeDialogProps & { readonly problem: ProblemRow }) => {
  const [comment, setComment] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (comment.trim() === '') return setError(fr.acknowledge.required)
    if (problem.incidentId === null) return onClose()
    setBusy(true)
    try {
      await call(acknowledgementRoutes.acknowledge, { params: { id: String(problem.incidentId) }, body: { comment } })
      onDone()
      onClose()
    } catch (fault) {
      setError(errorText(fault))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)} noValidate>
      <p>
        <strong>{problem.hostName}</strong> · {problem.name}
      </p>
      <Textarea
        label={fr.acknowledge.comment}
        description={fr.acknowledge.commentHelp}
        value={comment}
        onChange={event => setComment(event.currentTarget.value)}
        error={error}
        maxLength={500}
        rows={3}
        required
        data-autofocus
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {common.common.cancel}
        </Button>
        <Button type="submit" loading={busy}>
          {fr.acknowledge.submit}
        </Button>
      </Group>
    </form>
  )
}
