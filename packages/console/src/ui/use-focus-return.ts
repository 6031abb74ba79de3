import { type RefObject, useEffect, useRef } from 'react'

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * Gives the focus back when what it is called in goes away: to what had it before, or to `fallback` where that has gone
 * too (an item of a menu). For dialogs that are mounted open: those give nothing back by themselves.
 */
export const useFocusReturn = (fallback?: RefObject<HTMLElement | null>): void => {
  // Before anything in the dialog takes it.
  const before = useRef(document.activeElement)
  useEffect(() => {
    const held = before.current
    return () => {
      // Once the dialog and what keeps the focus in it are gone.
      setTimeout(() => {
        if (!isLost()) return
        const back = held instanceof HTMLElement && held.isConnected ? held : fallback?.current
        back?.focus({ preventScroll: true })
      })
    }
  }, [fallback])
}
