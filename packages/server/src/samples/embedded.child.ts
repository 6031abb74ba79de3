import { openEmbeddedSampleStore } from './embedded.ts'
import { BATCH_STEP_MS, batchNumber, KILL_START_MS } from './kill-fleet.ts'

/**
 * A process to be killed (`embedded.integration.test.ts`): appends numbered batches, says each acknowledgement on its
 * standard output, seals, trims and compacts all the while. Arguments: folder, failpoints, number of batches.
 */
const [folder = '', failpoints = '', count = '0'] = process.argv.slice(2)
const IN_FLIGHT = 6
const MAINTAIN_EVERY = 25

let clock = KILL_START_MS
const store = await openEmbeddedSampleStore({
  folder,
  now: () => clock,
  sealAfterMs: 0,
  maintainEveryMs: 0,
  failpoints,
  retention: { rawDays: 3000, fiveMinutesDays: 3000, hourDays: 3000 },
})
const first = (await store.lastSequence({ probe: 1, boot: 'b', lane: 'live' })) + 1
clock += first * BATCH_STEP_MS
process.stdout.write(`start ${first}\n`)
if (first > 1) {
  const again = await store.append(batchNumber(first - 1))
  if (!again.duplicate) process.stdout.write(`doubled ${first - 1}\n`)
}

const flying = new Set<Promise<void>>()
let maintaining: Promise<void> = Promise.resolve()
for (let sequence = first; sequence < first + Number(count); sequence++) {
  clock += BATCH_STEP_MS
  const one = store.append(batchNumber(sequence)).then(async ({ position }) => {
    process.stdout.write(`ack ${sequence}\n`)
    await store.applied(position)
  })
  flying.add(one)
  one.finally(() => flying.delete(one))
  if (flying.size >= IN_FLIGHT) await Promise.race(flying)
  if (sequence % MAINTAIN_EVERY === 0) {
    await maintaining
    maintaining = store.maintain()
  }
}
await Promise.all(flying)
await maintaining
await store.close()
process.stdout.write('end\n')
