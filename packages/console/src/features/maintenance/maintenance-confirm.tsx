import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

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
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {fr.cancel}
        </Button>
        <Button color="red" loading={busy} data-autofocus onClick={() => void confirm()}>
          {title}
        </Button>
      </Group>
    </Modal>
  )
}
