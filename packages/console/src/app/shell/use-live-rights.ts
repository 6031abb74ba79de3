import { GLOBAL_STREAM } from '@narval/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useHubEvent, useHubJoined } from '../../lib/hub.ts'
import { session, useSession } from '../../lib/session.ts'

/** What changes at once, as many rows do, is asked about once. */
const SOON_MS = 1_500

/**
 * Rights follow what administrators change of the account and of its groups; those that hold on some equipment follow its
 * tags and its site too: what one may do, and where, is asked again.
 */
export const useLiveRights = (): void => {
  const { user } = useSession()
  const client = useQueryClient()
  const stream = (user?.limits ?? []).length > 0 ? GLOBAL_STREAM : null
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const again = useRef(false)
  const soon = (): void => {
    timer.current ??= setTimeout(async () => {
      timer.current = null
      const showAgain = again.current
      again.current = false
      const before = session.state().user
      await session.loadAccount()
      // Other objects may be in sight now: what is on the screen is asked again too.
      if (showAgain || session.state().user !== before) await client.invalidateQueries()
    }, SOON_MS)
  }
  useHubEvent('service', GLOBAL_STREAM, ({ account }) => {
    if (account !== true) return
    again.current = true
    soon()
  })
  // What was told before was not heard: while the page was opening, or while the connection was lost.
  useHubJoined('service', soon)
  useHubEvent('host', stream, ({ entities = [] }) => {
    if (entities.length > 0) soon()
  })
  useHubEvent('site', stream, ({ entities = [] }) => {
    if (entities.length > 0) soon()
  })
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
}
