import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { useBlocker } from 'react-router'
import { form as words } from '../i18n/form.ts'

interface GuardProps {
  readonly unsaved: () => boolean
}

/** The router knows one blocker only: with several forms on a page the first of them asks for all. */
const guards: (() => boolean)[] = []
const listeners = new Set<() => void>()
const anyUnsaved = (): boolean => guards.some(unsaved => unsaved())
const changed = (): void => {
  for (const listener of [...listeners]) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks before a page is left with something typed and not saved; also before the tab is closed. */
export const UnsavedGuard = ({ unsaved }: GuardProps) => {
  useEffect(() => {
    guards.push(unsaved)
    changed()
    return () => {
      guards.splice(guards.indexOf(unsaved), 1)
      changed()
    }
  }, [unsaved])
  const asks = useSyncExternalStore(subscribe, () => guards[0] === unsaved)
  return asks ? <LeaveDialog /> : null
}

const LeaveDialog = () => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && anyUnsaved(),
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (anyUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
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
