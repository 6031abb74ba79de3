import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fr } from '../../i18n/fr.ts'
import { useHubJoined, useHubState } from '../../lib/hub.ts'
import classes from './shell.module.css'

/** A short loss is repaired before anybody would read about it. */
const SAID_AFTER_MS = 3_000
/** Several hubs come back together: what is on the screen is asked for once. */
const RESYNC_DELAY_MS = 300

/** Asks again for everything on the screen when a hub was lost and is back. */
const useResync = (): void => {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const resync = (again: boolean): void => {
    if (!again) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries()
    }, RESYNC_DELAY_MS)
  }
  useHubJoined('communication', resync)
  useHubJoined('host', resync)
  useHubJoined('metric', resync)
  useHubJoined('site', resync)
  useHubJoined('service', resync)
}

/** Says that the stream has stopped; silent while it runs. */
export const RealtimeBanner = () => {
  useResync()
  const connected = useHubState('communication') === 'Connected'
  const [said, setSaid] = useState(false)
  useEffect(() => {
    if (connected) {
      setSaid(false)
      return
    }
    const timer = setTimeout(() => setSaid(true), SAID_AFTER_MS)
    return () => clearTimeout(timer)
  }, [connected])
  return (
    <div role="status">
      {said && (
        <p className={classes.banner}>
          <IconPlugConnectedX size={16} stroke={1.8} aria-hidden="true" />
          <span>
            {fr.shell.interrupted} {fr.shell.reconnecting}
          </span>
        </p>
      )}
    </div>
  )
}
