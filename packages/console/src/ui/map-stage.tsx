import { ActionIcon } from '@mantine/core'
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react'
import type { MapPixel } from '../lib/map-view.ts'
import classes from './map-stage.module.css'
import { useMapGestures } from './use-map-gestures.ts'

const words = { nearer: 'Agrandir', farther: 'Réduire', view: 'Vue' } as const

/** What a press would do at a place: take hold of the picture (null), open what stands there, choose the point. */
export type StageCursor = 'pointer' | 'crosshair' | null

/** How the picture on a stage is moved; without `at`, a zoom is about whatever middle the picture has. */
export interface StageHand {
  readonly zoom: (factor: number, at?: MapPixel) => void
  readonly pan: (by: MapPixel) => void
  readonly pick: (at: MapPixel) => void
  /** Where the pointer rests; null once it left. */
  readonly hover: (at: MapPixel | null) => StageCursor
}

interface MapStageProps {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly label: string
  /** What the keys do. */
  readonly help: string
  /** Of the frame, px or as a style sheet has it. */
  readonly height: number | string
  readonly hand: StageHand
  /** Where the third button leads, and the key 0. */
  readonly home: { readonly label: string; readonly icon?: ReactNode; readonly go: () => void }
  /** Keys that mean something else here than on other stages; true: it was one. */
  readonly onKey?: (event: KeyboardEvent) => boolean
  /** The focus goes from one thing of the picture to the next: the frame itself has none. */
  readonly isWalked?: boolean
  /** Nothing is heard of what is shown. */
  readonly isStale?: boolean
  /** Buttons beside those that zoom. */
  readonly beside?: ReactNode
  /** What tells of the thing that is open: over the picture, on a phone under it. */
  readonly card?: ReactNode
  readonly children: ReactNode
}

const KEY_PX = 60
const ZOOM = 1.5
const ARROWS: Readonly<Record<string, MapPixel>> = {
  ArrowLeft: [KEY_PX, 0],
  ArrowRight: [-KEY_PX, 0],
  ArrowUp: [0, KEY_PX],
  ArrowDown: [0, -KEY_PX],
}
const ZOOM_KEYS: Readonly<Record<string, number>> = { '+': ZOOM, '=': ZOOM, '-': 1 / ZOOM, '−': 1 / ZOOM }

/** A picture larger than its frame: moved and zoomed by mouse, pen, fingers and keys, with buttons for the same. */
export const MapStage = (props: MapStageProps) => {
  const { frame, hand, home } = props
  const id = useId()
  const [cursor, setCursor] = useState<StageCursor>(null)
  useMapGestures(frame, { ...hand, hover: at => setCursor(hand.hover(at)) })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (props.onKey?.(event) === true || moves(event.key, props)) event.preventDefault()
  }
  return (
    <div className={classes.stage}>
      <div
        ref={frame}
        className={classes.frame}
        style={{ height: props.height }}
        role="application"
        aria-label={props.label}
        aria-describedby={`${id}-help`}
        data-cursor={cursor ?? undefined}
        data-stale={props.isStale || undefined}
        tabIndex={props.isWalked ? undefined : 0}
        onKeyDown={onKeyDown}
        // Focus may not scroll the frame: the picture is moved instead.
        onScroll={event => event.currentTarget.scrollTo(0, 0)}
      >
        {props.children}
      </div>
      <fieldset className={classes.buttons} aria-label={words.view}>
        <StageButton label={words.nearer} onClick={() => hand.zoom(ZOOM)}>
          <IconPlus size={17} />
        </StageButton>
        <StageButton label={words.farther} onClick={() => hand.zoom(1 / ZOOM)}>
          <IconMinus size={17} />
        </StageButton>
        <StageButton label={home.label} onClick={home.go}>
          {home.icon ?? <IconArrowsMaximize size={17} />}
        </StageButton>
      </fieldset>
      {props.beside !== undefined && <div className={classes.beside}>{props.beside}</div>}
      <p className={classes.help} id={`${id}-help`}>
        {props.help}
      </p>
      {props.card}
    </div>
  )
}

/** Whether a key moves any stage; if so it has. */
const moves = (key: string, { hand, home }: Pick<MapStageProps, 'hand' | 'home'>): boolean => {
  const by = ARROWS[key]
  const factor = ZOOM_KEYS[key]
  if (by !== undefined) hand.pan(by)
  else if (factor !== undefined) hand.zoom(factor)
  else if (key === '0') home.go()
  else return false
  return true
}

interface StageButtonProps {
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

const StageButton = ({ label, onClick, children }: StageButtonProps) => (
  <ActionIcon variant="default" size={34} aria-label={label} title={label} onClick={onClick}>
    {children}
  </ActionIcon>
)
