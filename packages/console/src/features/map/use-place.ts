import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { formatPlace, parsePlace } from '../../lib/map-place.ts'
import type { MapView } from '../../lib/map-view.ts'
import { paramsNow, useAddress } from '../../ui/use-address.ts'

/** The address says where the map is once it rested so long. */
const REST_MS = 250

/**
 * The place that the address asks for (`?at=45.76_4.86_9.5`), null when it asks for none, and `follow`, which makes the
 * address say where the map went, without a step for « back ». `onLed`: a link or the Back button leads elsewhere.
 */
export const usePlace = (onLed: () => void) => {
  const { params, put } = useAddress()
  const { pathname } = useLocation()
  const { location: next } = useNavigation()
  const isLeaving = next !== undefined && next.pathname !== pathname
  const at = params.get('at')
  const asked = useMemo(() => parsePlace(at), [at])
  const known = useRef(at)
  const waiting = useRef<{ readonly view: MapView; readonly timer: ReturnType<typeof setTimeout> } | null>(null)
  const forget = useCallback((): void => {
    if (waiting.current !== null) clearTimeout(waiting.current.timer)
    waiting.current = null
  }, [])
  const tell = useEffectEvent((): void => {
    if (waiting.current === null) return
    const { view } = waiting.current
    forget()
    // On the way to another page: nothing may lead back from there.
    if (isLeaving) return
    const text = formatPlace(view)
    if (text === known.current) return
    known.current = text
    put({ at: text })
  })
  const led = useEffectEvent(onLed)
  useEffect(() => {
    if (at === known.current || at !== paramsNow().get('at')) return
    known.current = at
    forget()
    led()
  }, [at, forget])
  useEffect(() => {
    const onDown = (): void => tell()
    // Whoever follows a link at once finds on the way back what was in sight.
    addEventListener('pointerdown', onDown, { capture: true })
    return () => {
      removeEventListener('pointerdown', onDown, { capture: true })
      forget()
    }
  }, [forget])
  const follow = useCallback(
    (view: MapView): void => {
      forget()
      waiting.current = { view, timer: setTimeout(() => tell(), REST_MS) }
    },
    [forget],
  )
  return { asked, follow }
}
