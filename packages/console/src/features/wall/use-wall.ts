import type { HostGrid, Wall } from '@narval/contracts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError } from '../../lib/http.ts'
import type { WallSource } from './wall-source.ts'

/** Asked at least this often, and soon after something may have changed. */
const EVERY_MS = 3_000
const SOON_MS = 1_000
/** The grid is large: it follows more slowly. */
const HOSTS_EVERY_MS = 8_000

export interface WallData {
  readonly wall: Wall | null
  readonly hosts: HostGrid | null
  /** When the last answer came, epoch ms; null: none yet. */
  readonly heardMs: number | null
  /** The last question had no answer. */
  readonly failed: boolean
  /** The token, or the session, is good no more: nothing is shown. */
  readonly refused: boolean
}
const NOTHING_YET: WallData = { wall: null, hosts: null, heardMs: null, failed: false, refused: false }

/** What the wall shows, asked again and again: it catches up by itself whatever stopped. */
export const useWall = (source: WallSource, wantsHosts: boolean): WallData => {
  const [data, setData] = useState<WallData>(NOTHING_YET)
  const soon = useRef<(delayMs: number) => void>(() => {})
  const hostsAskedMs = useRef(0)
  const ask = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    try {
      const wall = await source.wall(signal)
      const isDue = wantsHosts && Date.now() - hostsAskedMs.current > HOSTS_EVERY_MS
      const hosts = isDue ? await source.hosts(signal) : null
      if (hosts !== null) hostsAskedMs.current = Date.now()
      setData(before => ({
        ...{ wall, hosts: hosts ?? before.hosts, heardMs: Date.now(), failed: false, refused: false },
      }))
    } catch (error) {
      if (signal.aborted) return
      const refused = error instanceof ApiError && (error.status === 401 || error.status === 403)
      setData(before => (refused ? { ...NOTHING_YET, refused: true } : { ...before, failed: true }))
    }
  })
  useEffect(() => {
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let dueMs = Number.POSITIVE_INFINITY
    let asking = false
    let again = false
    // The earliest of what is wanted holds: what comes all the time must not put it off.
    const within = (delayMs: number): void => {
      if (ended.signal.aborted || Date.now() + delayMs >= dueMs) return
      clearTimeout(timer)
      dueMs = Date.now() + delayMs
      timer = setTimeout(turn, delayMs)
    }
    const turn = async (): Promise<void> => {
      dueMs = Number.POSITIVE_INFINITY
      asking = true
      await ask(ended.signal)
      asking = false
      within(again ? SOON_MS : EVERY_MS)
      again = false
    }
    soon.current = delayMs => {
      if (asking) again = true
      else within(delayMs)
    }
    void turn()
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [])
  source.useTicks(() => soon.current(SOON_MS))
  // The grid comes with the view that shows it.
  useEffect(() => {
    if (wantsHosts) soon.current(0)
  }, [wantsHosts])
  return data
}
