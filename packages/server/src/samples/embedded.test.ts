import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedOptions, type EmbeddedSampleStore, openEmbeddedSampleStore } from './embedded.ts'
import { SampleStoreFailed } from './faults.ts'
import { batchOf, DAY_0, describeSampleStore, MINUTE, minutes, rawOf } from './sample-store.contract.ts'
import { SampleStoreBusy } from './sample-store.ts'

/** The clock is the test's; `settle` is a maintenance, due at once. */
const harness = (sealing: Pick<EmbeddedOptions, 'sealAfterBytes' | 'sealAfterMs'>) => () => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-samples-'))
  let store: EmbeddedSampleStore | undefined
  let now = (): number => 0
  const open = async (): Promise<EmbeddedSampleStore> => {
    store = await openEmbeddedSampleStore({ folder, now, ...sealing, maintainEveryMs: 0 })
    return store
  }
  return {
    open: (clock: () => number) => {
      now = clock
      return open()
    },
    reopen: async () => {
      await store?.close()
      return open()
    },
    settle: async () => store?.maintain(),
    cleanUp: async () => {
      await store?.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describeSampleStore('the embedded sample store, sealing as it goes', harness({ sealAfterBytes: 1 }))
describeSampleStore('the embedded sample store, sealing when asked', harness({ sealAfterMs: 0 }))

async function openTest(given: Partial<EmbeddedOptions> = {}): Promise<EmbeddedSampleStore> {
  const folder = mkdtempSync(join(tmpdir(), 'narval-samples-'))
  const store = await openEmbeddedSampleStore({ folder, now: () => DAY_0, maintainEveryMs: 0, ...given })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return store
}

describe('the embedded sample store and its thread', () => {
  test('rule 7: past its bytes the queue of writes refuses as busy, and takes batches again once it is shorter', async () => {
    const store = await openTest({ queueMaxBytes: 3000 })
    const sent = Array.from({ length: 40 }, (_, i) =>
      store.append(batchOf(minutes(i + 1, DAY_0, 60, Math.sqrt), { probe: i + 1 })),
    )
    const settled = await Promise.allSettled(sent)
    const refused = settled.filter(one => one.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(40)
    expect(refused.every(one => one.reason instanceof SampleStoreBusy && one.reason.retryAfterMs > 0)).toBe(true)
    const after = await store.append(batchOf([[1, DAY_0, 1]], { probe: 99 }))
    expect(after.duplicate).toBe(false)
    for (const [i, one] of settled.entries()) {
      expect((await rawOf(store, i + 1, DAY_0 + MINUTE, DAY_0 + 60 * MINUTE)).length).toBe(
        one.status === 'fulfilled' ? 59 : 0,
      )
    }
  })

  test('a batch stays its sender’s: its arrays are neither emptied nor shared', async () => {
    const store = await openTest()
    const batch = batchOf(
      [
        [1, DAY_0, 1],
        [2, DAY_0, 2],
      ],
      { attachment: Uint8Array.of(5, 6) },
    )
    const sent = store.append(batch)
    batch.samples.value[0] = 100
    await sent
    expect(batch.samples.series.length).toBe(2)
    expect(batch.attachment.length).toBe(2)
    expect(await rawOf(store, 1, DAY_0, DAY_0 + 1)).toEqual([[DAY_0, 1]])
  })

  test('R27 closing waits for what was given, is done once, and then everything is refused', async () => {
    const store = await openTest()
    const given = Array.from({ length: 20 }, (_, i) => store.append(batchOf([[1, DAY_0 + i, i]], { sequence: i + 1 })))
    await Promise.all([store.close(), store.close()])
    expect((await Promise.all(given)).map(one => one.duplicate)).toEqual(given.map(() => false))
    await expect(store.append(batchOf([[1, DAY_0, 1]], { sequence: 21 }))).rejects.toThrow(SampleStoreFailed)
    await expect(store.last([1])).rejects.toThrow(SampleStoreFailed)
  })

  test('batches given together are acknowledged in order with positions one after the other', async () => {
    const store = await openTest()
    const given = await Promise.all(
      Array.from({ length: 50 }, (_, i) => store.append(batchOf([[1, DAY_0 + i, i]], { sequence: i + 1 }))),
    )
    expect(given.map(one => one.position)).toEqual(given.map((_, i) => i + 1))
    expect((await rawOf(store, 1, DAY_0, DAY_0 + 100)).length).toBe(50)
  })

  test('a batch given twice in one go is stored once', async () => {
    const store = await openTest()
    const [first, second] = await Promise.all([
      store.append(batchOf([[1, DAY_0, 1]])),
      store.append(batchOf([[1, DAY_0, 2]])),
    ])
    expect([first?.duplicate, second?.duplicate]).toEqual([false, true])
    expect(await rawOf(store, 1, DAY_0, DAY_0 + 1)).toEqual([[DAY_0, 1]])
  })
})
