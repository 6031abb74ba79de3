/** To be awaited between two pieces of work: lets others have the event loop when this turn of it has lasted long enough. */
export type Turn = () => Promise<void>

/** Whoever waits for an answer does not feel a turn of so many ms. */
const TURN_MS = 8

/** Lets others have their turn of the event loop when this one has lasted some 8 ms. */
export const createTurns = (): Turn => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await new Promise(resolve => setImmediate(resolve))
    since = performance.now()
  }
}

/** Takes steps one after the other, others having their turn in between; asks whether it is theirs after every `every`th. */
export const takeInTurns = async (steps: Iterable<void>, turn: Turn, every = 1): Promise<void> => {
  let taken = 0
  for (const _ of steps) {
    taken += 1
    if (taken % every === 0) await turn()
  }
}

/** The same for each, others having their turn in between. */
export const mapInTurns = async <T, R>(all: readonly T[], work: (one: T, index: number) => R): Promise<R[]> => {
  const turn = createTurns()
  const results: R[] = []
  for (const [index, one] of all.entries()) {
    results.push(work(one, index))
    // Asking the clock costs more than a row.
    if (index % 50 === 49) await turn()
  }
  return results
}
