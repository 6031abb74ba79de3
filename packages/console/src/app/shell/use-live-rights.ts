import { GLOBAL_STREAM } from '@narval/contracts'
import { useEffect, useRef } from 'react'
import { useHubEvent } from '../../lib/hub.ts'
import { session, useSession } from '../../lib/session.ts'

/** What changes at once, as many rows do, is asked about once. */
const SOON_MS = 1_500

/** Rights that hold on some equipment follow its tags and its site: where they hold is asked again as equipment changes. */
export const useLiveRights = (): void => {
  const { user } = useSession()
  const isPartial = (user?.limits ?? []).length > 0
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useHubEvent('host', isPartial ? GLOBAL_STREAM : null, ({ entities = [] }) => {
    if (entities.length === 0) return
    timer.current ??= setTimeout(() => {
      timer.current = null
      void session.loadAccount()
    }, SOON_MS)
  })
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
}
