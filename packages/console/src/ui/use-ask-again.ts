import { useEffect, useMemo, useRef } from 'react'

/** However many messages come, it is asked at most this often. */
const DELAY_MS = 400

/** Asks again soon, once for all that comes until then. */
export const useAskAgain = (ask: () => void): (() => void) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const run = useRef(ask)
  useEffect(() => {
    run.current = ask
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(
    () => () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        run.current()
      }, DELAY_MS)
    },
    [],
  )
}
