import { reserveSamples, type SampleSink } from './codec/sample-chunk.ts'

export const createSink = (capacity = 2048): SampleSink => ({
  at: new Float64Array(capacity),
  value: new Float64Array(capacity),
  length: 0,
})

let spare = createSink()

/**
 * Sorts samples by time and keeps one per time: of two at the same time the one that stood later wins. A natural merge
 * sort, since the samples are a few ascending runs (chunks, heads, late ones).
 */
export function normalise(samples: SampleSink): void {
  let starts = runStarts(samples)
  while (starts.length > 1) {
    const next: number[] = []
    spare.length = 0
    reserveSamples(spare, samples.length)
    for (let run = 0; run < starts.length; run += 2) {
      next.push(spare.length)
      const middle = starts[run + 1] ?? samples.length
      mergeRuns(samples, starts[run] ?? 0, middle, starts[run + 2] ?? samples.length)
    }
    swapWithSpare(samples)
    starts = next
  }
}

/** Where each strictly ascending run starts. */
function runStarts(samples: SampleSink): number[] {
  const starts = [0]
  for (let i = 1; i < samples.length; i++) {
    if ((samples.at[i] ?? 0) <= (samples.at[i - 1] ?? 0)) starts.push(i)
  }
  return starts
}

function mergeRuns(samples: SampleSink, from: number, middle: number, to: number): void {
  const { at, value } = samples
  let older = from
  let newer = middle
  let length = spare.length
  while (older < middle && newer < to) {
    const olderAt = at[older] ?? 0
    const newerAt = at[newer] ?? 0
    const takeOlder = olderAt < newerAt
    if (olderAt === newerAt) older++
    const source = takeOlder ? older++ : newer++
    spare.at[length] = at[source] ?? 0
    spare.value[length++] = value[source] ?? 0
  }
  const rest = older < middle ? older : newer
  const restEnd = older < middle ? middle : to
  spare.at.set(at.subarray(rest, restEnd), length)
  spare.value.set(value.subarray(rest, restEnd), length)
  spare.length = length + restEnd - rest
}

function swapWithSpare(samples: SampleSink): void {
  const { at, value, length } = samples
  samples.at = spare.at
  samples.value = spare.value
  samples.length = spare.length
  spare = { at, value, length }
}
