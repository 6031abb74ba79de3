import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconDeviceTv } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { wallWords as words } from '../i18n/wall.ts'
import { WALL_UNASKED, type WallChoice, wallQuery } from '../lib/wall-choice.ts'
import { DialogActions } from './dialog-actions.tsx'
import { WallOptions } from './wall-options.tsx'

/** « Mode mural »: asks what to show, then shows it in full screen. */
export const WallButton = () => {
  const [opened, setOpened] = useState(false)
  const [choice, setChoice] = useState<WallChoice>(WALL_UNASKED)
  const navigate = useNavigate()
  const start = async (): Promise<void> => {
    // The browser may refuse: the wall then shows in the window.
    await document.documentElement.requestFullscreen?.().catch(() => {})
    await navigate(`/dashboard/wall${wallQuery(choice)}`)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconDeviceTv size={16} />} onClick={() => setOpened(true)}>
        {words.open}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={<strong>{words.title}</strong>} size="lg" centered>
        <Stack gap="md">
          <Text size="sm">
            {words.intro} {words.leaveHelp}
          </Text>
          <WallOptions choice={choice} onChange={setChoice} />
          <DialogActions
            onCancel={() => setOpened(false)}
            submit={words.start}
            onSubmit={() => void start()}
            busy={false}
            disabled={choice.views.length === 0}
          />
        </Stack>
      </Modal>
    </>
  )
}
