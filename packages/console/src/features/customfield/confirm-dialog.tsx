import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { form } from '../../i18n/form.ts'
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {fr.cancel}
          </Button>
          <Button color="red" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            {fr.groups.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
