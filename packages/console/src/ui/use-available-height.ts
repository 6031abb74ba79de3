import { type RefObject, useLayoutEffect, useState } from 'react'

const LEAST_PX = 300

/**
 * Height in px that an element may take so that it and `belowPx` under it end with the window; at least 300 px.
 * Measured from the top of the page, so that scrolling does not change it.
 */
export const useAvailableHeight = (ref: RefObject<HTMLElement | null>, belowPx: number): number => {
  const [height, setHeight] = useState(LEAST_PX)
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = (ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      setHeight(Math.max(LEAST_PX, Math.floor(window.innerHeight - top - belowPx)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.documentElement)
    const above = ref.current?.closest('[data-table]')
    if (above !== null && above !== undefined) observer.observe(above)
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
    }
  }, [ref, belowPx])
  return height
}
