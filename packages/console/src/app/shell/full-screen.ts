import { useSyncExternalStore } from 'react'

const whole = matchMedia('(display-mode: fullscreen)')
const isFullScreen = (): boolean => document.fullscreenElement !== null || whole.matches
const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener)
  whole.addEventListener('change', listener)
  return () => {
    document.removeEventListener('fullscreenchange', listener)
    whole.removeEventListener('change', listener)
  }
}

/** Whether the browser shows the page in full screen, whoever asked for it, and the toggle. */
export const useFullScreen = () => {
  const on = useSyncExternalStore(subscribe, isFullScreen)
  const toggle = (): void => {
    const change =
      document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
    // The browser may refuse; the button keeps showing what is.
    change.catch(() => {})
  }
  return { on, toggle, possible: document.fullscreenEnabled }
}
