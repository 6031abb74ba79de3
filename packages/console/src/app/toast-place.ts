interface Bar {
  readonly top: number
  readonly bottom: number
}

/** Between a toast and what it keeps clear of. */
const GAP_PX = 8

/**
 * How far from the bottom of the window a stack of toasts of this height stands, px: as low as it can without lying over
 * one of the bars, and never above `top`. Null where there is no such place.
 */
const freePlace = (bars: readonly Bar[], height: number, { top, bottom }: Bar): number | null => {
  const places = [0, ...bars.map(bar => bottom - bar.top + GAP_PX)].filter(place => place >= 0)
  const isFree = (place: number): boolean => {
    const [upper, lower] = [bottom - place - height, bottom - place]
    return upper >= top && bars.every(bar => bar.bottom <= upper || bar.top >= lower)
  }
  return places.toSorted((a, b) => a - b).find(isFree) ?? null
}

/** The same off the bars and what else is pressed, else off the bars alone; at the bottom where that can't be either. */
export const lowestFree = (bars: readonly Bar[], height: number, window: Bar, others: readonly Bar[] = []): number =>
  freePlace([...bars, ...others], height, window) ?? freePlace(bars, height, window) ?? 0
