import { Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { errorText } from '../../ui/page.tsx'

interface ConfirmProps {
  readonly opened: boolean
  readonly title: string
  readonly text: string
  readonly run: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before what can not be undone; what is refused is said in it. */
export const ConfirmDialog = ({ opened, title, text, run, onClose }: ConfirmProps) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await run()
      onClose()
    } catch (fault) {
      setError(errorText(fault))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened={opened} onClose={onClose} title={<strong>{title}</strong>} centered>
      <Text size="sm">{text}</Text>
      {error !== null && <p role="alert">{error}</p>}
      <DialogActions
        onCancel={onClose}
        submit={title}
        onSubmit={() => void confirm()}
        busy={busy}
        danger
        focus="submit"
        mt="lg"
      />
    </Modal>
  )
}
