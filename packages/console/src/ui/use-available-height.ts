import { type RefObject, useLayoutEffect, useState } from 'react'

const LEAST_PX = 300

/** Px that do not go to rows, and the height of one. */
export interface RowSizes {
  readonly headPx: number
  readonly rowPx: number
}

/**
 * Height in px that a list may take so that it and `belowPx` under it end with the window, in whole rows; at least
 * 300 px. Measured from the top of the page, so that scrolling does not change it.
 */
export const useAvailableHeight = (
  ref: RefObject<HTMLElement | null>,
  belowPx: number,
  { headPx, rowPx }: RowSizes,
): number => {
  const [height, setHeight] = useState(LEAST_PX)
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = (ref.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      const free = Math.max(LEAST_PX, window.innerHeight - top - belowPx)
      setHeight(headPx + Math.floor((free - headPx) / rowPx) * rowPx)
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
  }, [ref, belowPx, headPx, rowPx])
  return height
}
