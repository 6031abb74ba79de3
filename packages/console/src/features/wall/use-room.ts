import { useCallback, useState } from 'react'

/** What a view may fill, px; `em` is the wall's text size, which grows with the screen. */
export interface Room {
  readonly width: number
  readonly height: number
  readonly em: number
}

/** The room that an element has, followed. */
export const useRoom = () => {
  const [room, setRoom] = useState<Room>({ width: 0, height: 0, em: 16 })
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const look = (): void =>
      setRoom({
        width: element.clientWidth,
        height: element.clientHeight,
        em: Number.parseFloat(getComputedStyle(element).fontSize) || 16,
      })
    const sized = new ResizeObserver(look)
    sized.observe(element)
    look()
    return () => sized.disconnect()
  }, [])
  return { ref, room }
}
