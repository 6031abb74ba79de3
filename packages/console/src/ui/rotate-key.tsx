import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { credentialRoutes } from '@narval/contracts'
import { IconAlertTriangle, IconKey } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { credential } from '../i18n/credential.ts'
import { call } from '../lib/api.ts'
import { useSession } from '../lib/session.ts'
import { DialogActions } from './dialog-actions.tsx'
import { Notice } from './notice.tsx'
import { errorText } from './page.tsx'

const { rotate: words } = credential
/** Every secret of the platform is sealed again. */
const TIMEOUT_MS = 120_000

/** Changes the key that seals all secrets, after saying what that does; for administrators alone. */
export const RotateKey = () => {
  const { can } = useSession()
  const [asking, setAsking] = useState(false)
  if (!can('admin')) return null
  return (
    <Group justify="flex-end" mt="sm">
      <Button size="compact-sm" variant="subtle" leftSection={<IconKey size={15} />} onClick={() => setAsking(true)}>
        {words.open}
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title={<strong>{words.title}</strong>} centered>
        <RotateQuestion onClose={() => setAsking(false)} />
      </Modal>
    </Group>
  )
}

const RotateQuestion = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const rotation = useMutation({
    mutationFn: () => call(credentialRoutes.rotate, { timeoutMs: TIMEOUT_MS }),
    onSuccess: ({ resealed, unreadable }) => {
      notifications.show({ color: 'green', message: words.done(resealed) })
      // Stays until it is closed: somebody has to do something about it.
      if (unreadable > 0)
        notifications.show({ color: 'orange', message: words.unreadable(unreadable), autoClose: false })
      void client.invalidateQueries({ queryKey: ['credentials'] })
      onClose()
    },
  })
  return (
    <Stack gap="md">
      <Text size="sm">{words.what}</Text>
      <Text size="sm">{words.effect}</Text>
      <Text size="sm">{words.backup}</Text>
      {rotation.error !== null && (
        <Notice tone="error" icon={<IconAlertTriangle size={18} />} title={words.failed}>
          <p>{errorText(rotation.error)}</p>
        </Notice>
      )}
      <DialogActions
        onCancel={onClose}
        submit={words.run}
        onSubmit={() => rotation.mutate()}
        busy={rotation.isPending}
        focus="cancel"
      />
    </Stack>
  )
}
