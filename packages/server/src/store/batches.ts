/** Rows or ids of one statement: far below the 30,000 parameters that both databases accept. */
const BATCH = 1_000

/** Slices of at most `size`, in order. */
export const batches = <T>(all: readonly T[], size: number = BATCH): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
