import type { AlertMessage, Notification } from '@narval/contracts'

/** Which alerts were shown: no toast twice, also when the hub and the list bring the same one (R21). */
export interface AlertInbox {
  /** False for an alert that was shown already. Alerts without an id are always new. */
  readonly admit: (alert: AlertMessage) => boolean
  /** Those of the list that were not shown, oldest first. The first list is only where to begin. */
  readonly catchUp: (list: {
    readonly notifications: readonly Notification[]
    readonly latest: number
  }) => Notification[]
  /** The hub was lost: what it brings next may come after others that it did not bring. */
  readonly lose: () => void
  /** Where to ask `after` from; null before the first list. */
  readonly place: () => number | null
}

/** Ids remembered at most: an alert may come from the hub after the list has brought a later one. */
const REMEMBERED = 500

export const createAlertInbox = (): AlertInbox => {
  const shown = new Set<number>()
  let place: number | null = null
  /** Everything up to `place` was shown: only then does what the hub brings move it. */
  let caughtUp = false

  const note = (id: number): boolean => {
    if (shown.has(id)) return false
    shown.add(id)
    const oldest = shown.size > REMEMBERED ? shown.values().next().value : undefined
    if (oldest !== undefined) shown.delete(oldest)
    if (caughtUp && place !== null && id > place) place = id
    return true
  }

  return {
    admit: ({ id }) => id === undefined || note(id),
    catchUp({ notifications, latest }) {
      caughtUp = true
      if (place === null) {
        place = latest
        return []
      }
      const missed = [...notifications].sort((a, b) => a.id - b.id).filter(one => note(one.id))
      place = Math.max(place, latest)
      return missed
    },
    lose() {
      caughtUp = false
    },
    place: () => place,
  }
}
