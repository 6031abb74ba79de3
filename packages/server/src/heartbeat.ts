import { DISPLAY_STREAM, GLOBAL_STREAM, HUB_BEAT_MS, HUBS, type ServiceChanged } from '@narval/contracts'
import type { Hubs } from './hub/hubs.ts'
import { toIso } from './store/time.ts'

/**
 * Says on the service hub that the server runs, every `HUB_BEAT_MS`; silent while what arrives is not judged in time, so
 * that screens say themselves old rather than show old states as present ones.
 */
export const createHeartbeat = (hubs: Pick<Hubs, 'publish'>, now: () => number, isWell: () => boolean) => {
  let timer: NodeJS.Timeout | null = null
  const beat = (): void => {
    if (!isWell()) return
    const message: ServiceChanged = { at: toIso(now()) }
    for (const stream of [GLOBAL_STREAM, DISPLAY_STREAM])
      hubs.publish(HUBS.service.path, stream, HUBS.service.event, [message])
  }
  return {
    start(): void {
      timer = setInterval(beat, HUB_BEAT_MS)
    },
    stop(): void {
      if (timer !== null) clearInterval(timer)
    },
  }
}
