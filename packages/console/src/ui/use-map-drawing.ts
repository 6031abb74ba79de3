import { useComputedColorScheme } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { drawMap, type MapColours } from '../lib/map-drawing.ts'
import { loadOutline, type Outline } from '../lib/map-outline.ts'
import type { GeoPoint, MapPixel, MapSize, MapView } from '../lib/map-view.ts'
import classes from './map-drawing.module.css'

const FIRST_SIZE: MapSize = { width: 500, height: 320 }

/** How large an element is, px, and again each time that this changes. */
export const useMapSize = (frame: RefObject<HTMLElement | null>): MapSize => {
  const [size, setSize] = useState(FIRST_SIZE)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return size
}

interface Drawn {
  readonly view: MapView
  readonly size: MapSize
  readonly others: readonly GeoPoint[]
  /** Without words and grid: too small for them. */
  readonly isBare?: boolean
  /** Where marks stand over it, px: words go beside them. */
  readonly marks?: readonly MapPixel[]
}

const NO_MARKS: readonly MapPixel[] = []

/**
 * What a `<canvas>` needs to show a map: drawn at most once a frame, in the colours of the scheme, and again as outlines
 * come. `failed`: some could not be had.
 */
export const useMapDrawing = ({ view, size, others, isBare = false, marks = NO_MARKS }: Drawn) => {
  const ref = useRef<HTMLCanvasElement>(null)
  const [outline, setOutline] = useState<Outline>({})
  const [failed, setFailed] = useState(false)
  const scheme = useComputedColorScheme()
  useEffect(() => {
    let wanted = true
    loadOutline(known => wanted && setOutline(known)).catch(() => wanted && setFailed(true))
    return () => {
      wanted = false
    }
  }, [])
  const { width, height } = size
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = ref.current
      const context = element?.getContext('2d')
      if (element === null || context === null || context === undefined) return
      const ratio = window.devicePixelRatio || 1
      element.width = Math.round(width * ratio)
      element.height = Math.round(height * ratio)
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      const colours = coloursOf(element, scheme)
      drawMap({ context, view, size: { width, height }, colours, outline, others, isBare, marks })
      element.dataset.drawn = outline.near === undefined || outline.france === undefined ? 'sea' : 'land'
    })
    return () => cancelAnimationFrame(frame)
  }, [view, width, height, outline, others, isBare, marks, scheme])
  return { canvas: { ref, className: classes.canvas }, failed }
}

/** The style sheet's colours; `scheme` is what they were last chosen for. */
const coloursOf = (element: HTMLElement, scheme: string): MapColours => {
  const style = getComputedStyle(element)
  const read = (name: string): string => style.getPropertyValue(name).trim() || (scheme === 'dark' ? '#fff' : '#000')
  return {
    sea: read('--map-sea'),
    land: read('--map-land'),
    border: read('--map-border'),
    division: read('--map-division'),
    grid: read('--map-grid'),
    town: read('--map-town'),
    others: read('--map-others'),
    font: style.fontFamily,
  }
}
