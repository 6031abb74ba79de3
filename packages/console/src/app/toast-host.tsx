import { useMediaQuery } from '@mantine/hooks'
import { Notifications, useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { MantineRoot } from './mantine-root.tsx'
import { NARROW } from './narrow.ts'
import classes from './toast.module.css'
import { lowestFree } from './toast-place.ts'

/** At most this many toasts at once; the others wait for their turn. On a phone they would hide the page. */
const TOASTS = { wide: 4, narrow: 1 } as const

/** The place of the toasts, loaded with the shell or with the first toast. */
export const ToastHost = () => {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const shown = useNotifications().notifications.length
  useKeepClear(shown > 0)
  useToastKey(shown > 0)
  return (
    <MantineRoot>
      <Notifications
        className={classes.place ?? ''}
        position={narrow ? 'bottom-center' : 'bottom-right'}
        limit={narrow ? TOASTS.narrow : TOASTS.wide}
        containerWidth={400}
        zIndex={1000}
        aria-live="polite"
      />
    </MantineRoot>
  )
}

/** Under the top bar, whose buttons stay free. */
const TOP_PX = 60
/** Between the toasts and the window's edge, as their style has it. */
const EDGE_PX = 16

const PLACE = `.${classes.place}`
/** What can be pressed without scrolling to it: bars, and the buttons of a dialog. */
const KEEP_CLEAR = '[data-keep-clear], .mantine-Modal-content button'
/** What sends a form of the page, while there is room beside it. */
const BUTTONS = 'form button'

const rectsOf = (selector: string): DOMRect[] =>
  [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect()).filter(rect => rect.height > 0)

const place = (): void => {
  // There is one for each corner; the others are empty.
  const [toasts] = rectsOf(PLACE)
  if (toasts === undefined) return
  const { left, right, height } = toasts
  const isNear = (rect: DOMRect): boolean => rect.right > left && rect.left < right
  const [bars, buttons] = [KEEP_CLEAR, BUTTONS].map(selector => rectsOf(selector).filter(isNear))
  const clearance = lowestFree(bars ?? [], height + EDGE_PX, { top: TOP_PX, bottom: innerHeight }, buttons)
  document.documentElement.style.setProperty('--toast-clearance', `${clearance}px`)
}

/** While there are toasts, moves them off whatever can be pressed on the page, which scrolls and changes under them. */
const useKeepClear = (active: boolean): void => {
  useEffect(() => {
    if (!active) return
    let frame = 0
    const later = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(place)
    }
    later()
    const changes = new MutationObserver(later)
    changes.observe(document.body, { childList: true, subtree: true })
    const sizes = new ResizeObserver(later)
    // The toasts too: they grow as they come.
    for (const one of [document.body, ...document.querySelectorAll(PLACE)]) sizes.observe(one)
    addEventListener('scroll', later, { capture: true, passive: true })
    addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      sizes.disconnect()
      removeEventListener('scroll', later, { capture: true })
      removeEventListener('resize', later)
    }
  }, [active])
}

/** Leads from anywhere to the newest toast and back: they stand at the end of the page, a long way by Tab. */
const KEY = 'F8'

const useToastKey = (active: boolean): void => {
  useEffect(() => {
    if (!active) return
    let before: Element | null = null
    const onKey = (event: KeyboardEvent): void => {
      const toasts = [...document.querySelectorAll(PLACE)]
      const inside = toasts.some(one => one.contains(document.activeElement))
      if (event.key === 'Escape' && inside && document.activeElement instanceof HTMLElement) {
        event.stopPropagation()
        document.activeElement.blur()
        if (before instanceof HTMLElement) before.focus()
      }
      if (event.key !== KEY || inside) return
      const target = toasts.flatMap(one => [...one.querySelectorAll<HTMLElement>('a[href], button')])[0]
      if (target === undefined) return
      event.preventDefault()
      before = document.activeElement
      target.focus()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [active])
}
