import { Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { form } from '../../i18n/form.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'

interface ConfirmProps {
  readonly title: string
  readonly text: string
  readonly run: () => Promise<unknown>
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks before something is deleted that takes nothing along, and shows a refusal in full. */
export const ConfirmDialog = ({ title, text, run, onDone, onClose }: ConfirmProps) => {
  const deletion = useMutation({ mutationFn: run, onSuccess: onDone })
  return (
    <Modal opened onClose={onClose} title={<strong>{title}</strong>} centered>
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        {deletion.error !== null && (
          <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={form.deleteRefused}>
            <p>{errorText(deletion.error)}</p>
          </Notice>
        )}
        <DialogActions
          onCancel={onClose}
          submit={fr.groups.delete}
          onSubmit={() => deletion.mutate()}
          busy={deletion.isPending}
          danger
          focus="cancel"
        />
      </Stack>
    </Modal>
  )
}
