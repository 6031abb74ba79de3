/** Whether an alert gets a toast of its own, or is counted in the one that stands for all of a storm. */
export type Told = { readonly kind: 'own' } | { readonly kind: 'summed'; readonly count: number }

interface StormLimits {
  /** Toasts of their own within the window. */
  readonly own: number
  readonly windowMs: number
}

/** Keeps a storm of alerts from becoming a queue of toasts that lasts for minutes: past the limit they are only counted. */
export const createAlertStorm = ({ own, windowMs }: StormLimits) => {
  let recent: number[] = []
  let summed = 0
  return (nowMs: number): Told => {
    recent = recent.filter(at => nowMs - at < windowMs)
    if (recent.length < own) {
      recent.push(nowMs)
      summed = 0
      return { kind: 'own' }
    }
    // The storm lasts as long as alerts keep coming.
    recent = [...recent.slice(1), nowMs]
    summed += 1
    return { kind: 'summed', count: summed }
  }
}
