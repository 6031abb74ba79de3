import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { form as words } from '../i18n/form.ts'

/** Asks before a page is left with something typed and not saved; also before the tab is closed. */
export const UnsavedGuard = ({ unsaved }: { readonly unsaved: () => boolean }) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && unsaved(),
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (unsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [unsaved])
  return (
    <Modal
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={<strong>{words.unsavedTitle}</strong>}
      centered
    >
      <Text size="sm">{words.unsavedText}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" color="red" onClick={() => blocker.proceed?.()}>
          {words.unsavedLeave}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {words.unsavedStay}
        </Button>
      </Group>
    </Modal>
  )
}
