import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { secondFactorRoutes } from '@narval/contracts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { account } from '../i18n/account.ts'
import { call } from '../lib/api.ts'
import { DialogActions } from './dialog-actions.tsx'
import { Notice } from './notice.tsx'
import { Card, errorText } from './page.tsx'

const { secondFactor: words } = account

interface SecondFactorRemovalProps {
  readonly id: number
  readonly login: string
  readonly mayRemove: boolean
}

/** Says that an account asks for a code, and takes that away for whoever has lost telephone and recovery codes. */
export const SecondFactorRemoval = ({ id, login, mayRemove }: SecondFactorRemovalProps) => {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const removal = useMutation({
    mutationFn: () => call(secondFactorRoutes.removeOf, { params: { id } }),
    onSuccess: async () => {
      notifications.show({ color: 'green', message: words.removed(login) })
      setAsking(false)
      await client.invalidateQueries({ queryKey: ['account', id] })
    },
  })
  return (
    <Card title={words.title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{words.on}</Text>
        {mayRemove && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {words.remove}
          </Button>
        )}
      </Group>
      <Modal opened={asking} onClose={() => setAsking(false)} title={<strong>{words.question(login)}</strong>} centered>
        <Stack gap="md">
          <Text size="sm">{words.text}</Text>
          {removal.error !== null && (
            <Notice tone="error" icon={<IconAlertTriangle size={18} />}>
              {errorText(removal.error)}
            </Notice>
          )}
          <DialogActions
            onCancel={() => setAsking(false)}
            submit={words.submit}
            onSubmit={() => removal.mutate()}
            busy={removal.isPending}
            danger
            focus="cancel"
          />
        </Stack>
      </Modal>
    </Card>
  )
}
