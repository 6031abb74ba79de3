/** Lets at most `places` tasks run at once; the others wait for their turn, in order. */
export const createGate = (places: number) => {
  let free = places
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>(resolve => waiting.push(resolve))
    else free -= 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
