import { setImmediate } from 'node:timers/promises'

/** Rows or ids of one statement: far below the 30,000 parameters that both databases accept. */
const BATCH = 1_000

/** Slices of at most `size`, in order. */
export const batches = <T>(all: readonly T[], size: number = BATCH): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** Rows of a statement whose turn of the event loop is felt by nobody. */
const TURN = 250

/** The same, with a turn of the event loop for others after each slice: also in a transaction, whose end alone waits for it. */
export async function* turns<T>(all: readonly T[], size: number = TURN): AsyncGenerator<T[]> {
  for (const slice of batches(all, size)) {
    yield slice
    await setImmediate()
  }
}
