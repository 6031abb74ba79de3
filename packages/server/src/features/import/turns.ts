/** Lets others have their turn of the event loop when this one has lasted some 8 ms. */
export const createTurns = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < 8) return
    await new Promise(resolve => setImmediate(resolve))
    since = performance.now()
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
