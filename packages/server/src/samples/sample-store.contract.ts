import { describe, expect, onTestFinished, test } from 'vitest'
import type { Batch, SampleStore } from './sample-store.ts'

/** What a test needs to open the store under test: a clock it sets, and reopening the same data. */
export interface ContractHarness {
  open(now: () => number): Promise<SampleStore>
  /** Closes and opens again on the same data. */
  reopen(store: SampleStore): Promise<SampleStore>
  /** Makes the store put what it holds where it keeps it for good (sealing), when it has such a thing. */
  settle(store: SampleStore): Promise<void>
  cleanUp(): Promise<void>
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
/** 2026-03-02T00:00:00Z */
export const DAY_0 = Date.UTC(2026, 2, 2)
const NO_BYTES = new Uint8Array()

type Row = readonly [series: number, atMs: number, value: number]

export function batchOf(rows: readonly Row[], given: Partial<Omit<Batch, 'samples'>> = {}): Batch {
  return {
    probe: 1,
    boot: 'b1',
    lane: 'live',
    sequence: 1,
    arrivedMs: DAY_0 + 12 * HOUR,
    attachment: NO_BYTES,
    ...given,
    samples: {
      series: Int32Array.from(rows, row => row[0]),
      atMs: Float64Array.from(rows, row => row[1]),
      value: Float64Array.from(rows, row => row[2]),
    },
  }
}

/** One sample a minute from a time on. */
export const minutes = (series: number, fromMs: number, count: number, value: (i: number) => number): Row[] =>
  Array.from({ length: count }, (_, i) => [series, fromMs + i * MINUTE, value(i)] as const)

export async function rawOf(
  store: SampleStore,
  series: number,
  fromMs: number,
  toMs: number,
): Promise<[number, number][]> {
  const answer = await store.range({
    series: [series],
    fromMs,
    toMs,
    points: 1000,
    aggregate: 'avg',
    resolution: 'raw',
  })
  expect(answer.stepMs).toBe(0)
  const only = answer.series[0]
  return Array.from(only?.atMs ?? [], (at, i) => [at, only?.value[i] ?? Number.NaN])
}

/** What any sample store promises; each implementation's test calls it with its own harness. */
export function describeSampleStore(name: string, createHarness: () => ContractHarness): void {
  async function openStore(nowMs = DAY_0 + 12 * HOUR): Promise<{ store: SampleStore; harness: ContractHarness }> {
    const harness = createHarness()
    const store = await harness.open(() => nowMs)
    onTestFinished(() => harness.cleanUp())
    return { store, harness }
  }

  describe(name, () => {
    test('a batch acknowledged is read back exactly, before and after settling and reopening', async () => {
      const { store, harness } = await openStore()
      const rows = minutes(7, DAY_0, 30, i => Math.sqrt(i) * (i % 2 === 0 ? 1 : -1))
      const { position, duplicate } = await store.append(batchOf(rows))
      expect(duplicate).toBe(false)
      expect(position).toBeGreaterThan(0)
      const expected = rows.map(([, at, value]) => [at, value])
      expect(await rawOf(store, 7, DAY_0, DAY_0 + HOUR)).toEqual(expected)
      await harness.settle(store)
      expect(await rawOf(store, 7, DAY_0, DAY_0 + HOUR)).toEqual(expected)
      const reopened = await harness.reopen(store)
      expect(await rawOf(reopened, 7, DAY_0, DAY_0 + HOUR)).toEqual(expected)
    })

    test('R07 a batch sent again is a duplicate and changes nothing, also after settling and reopening', async () => {
      const { store, harness } = await openStore()
      const batch = batchOf([[1, DAY_0, 5]], { sequence: 3 })
      const other = batchOf([[1, DAY_0, 99]], { sequence: 3 })
      expect((await store.append(batch)).duplicate).toBe(false)
      expect(await store.append(other)).toEqual({ position: 0, duplicate: true })
      await store.applied(1)
      await harness.settle(store)
      expect((await store.append(other)).duplicate).toBe(true)
      const reopened = await harness.reopen(store)
      expect((await reopened.append(other)).duplicate).toBe(true)
      expect((await reopened.append(batchOf([[1, DAY_0, 99]], { sequence: 2 }))).duplicate).toBe(true)
      expect(await rawOf(reopened, 1, DAY_0, DAY_0 + HOUR)).toEqual([[DAY_0, 5]])
    })

    test('probe, boot and lane each have their own sequence', async () => {
      const { store } = await openStore()
      for (const key of [{}, { probe: 2 }, { boot: 'b2' }, { lane: 'backlog' as const }]) {
        expect((await store.append(batchOf([[1, DAY_0, 1]], { sequence: 4, ...key }))).duplicate).toBe(false)
      }
      expect(await store.lastSequence({ probe: 2, boot: 'b1', lane: 'live' })).toBe(4)
      expect(await store.lastSequence({ probe: 2, boot: 'b2', lane: 'live' })).toBe(0)
    })

    test('of two samples of one series at one time the later batch wins, settled or not', async () => {
      const { store, harness } = await openStore()
      await store.append(
        batchOf(
          [
            [1, DAY_0, 1],
            [1, DAY_0 + MINUTE, 1],
          ],
          { sequence: 1 },
        ),
      )
      await harness.settle(store)
      await store.append(batchOf([[1, DAY_0, 2]], { sequence: 2 }))
      const expected = [
        [DAY_0, 2],
        [DAY_0 + MINUTE, 1],
      ]
      expect(await rawOf(store, 1, DAY_0, DAY_0 + HOUR)).toEqual(expected)
      await harness.settle(store)
      expect(await rawOf(store, 1, DAY_0, DAY_0 + HOUR)).toEqual(expected)
    })

    test('R26 late samples are found among the earlier ones, and every resolution counts them', async () => {
      const { store, harness } = await openStore()
      await store.append(
        batchOf(
          minutes(1, DAY_0, 300, () => 10),
          { sequence: 1 },
        ),
      )
      await harness.settle(store)
      await store.append(batchOf([[1, DAY_0 + 30_000, 70]], { sequence: 1, lane: 'backlog' }))
      for (const settled of [false, true]) {
        if (settled) await harness.settle(store)
        const answer = await store.range({
          series: [1],
          fromMs: DAY_0,
          toMs: DAY_0 + 5 * HOUR,
          points: 5,
          aggregate: 'max',
        })
        expect(answer.stepMs).toBe(HOUR)
        expect([...(answer.series[0]?.value ?? [])]).toEqual([70, 10, 10, 10, 10])
        expect([...(answer.series[0]?.count ?? [])]).toEqual([61, 60, 60, 60, 60])
      }
    })

    test('a range keeps within its points, in equal steps, and includes the newest samples whatever the resolution', async () => {
      const { store, harness } = await openStore()
      await store.append(
        batchOf(
          minutes(1, DAY_0, 600, i => i),
          { sequence: 1 },
        ),
      )
      await harness.settle(store)
      await store.append(
        batchOf(
          minutes(1, DAY_0 + 600 * MINUTE, 60, i => 600 + i),
          { sequence: 2 },
        ),
      )
      const toMs = DAY_0 + 660 * MINUTE
      for (const points of [1, 3, 7, 12, 50, 130, 200, 659, 660, 1000]) {
        const answer = await store.range({ series: [1], fromMs: DAY_0, toMs, points, aggregate: 'last' })
        const { atMs, value, min, max, count } = answer.series[0] ?? {
          atMs: [],
          value: [],
          min: [],
          max: [],
          count: [],
        }
        expect(atMs.length).toBeLessThanOrEqual(points)
        expect(atMs.length).toBeGreaterThan(0)
        expect(value.at(-1)).toBe(659)
        expect([...count].reduce((sum, n) => sum + n, 0)).toBe(660)
        expect(Math.min(...min)).toBe(0)
        expect(Math.max(...max)).toBe(659)
        if (answer.stepMs > 0) expect([...atMs].every(at => at % answer.stepMs === 0)).toBe(true)
        else expect(atMs.length).toBe(660)
      }
    })

    test('average, minimum, maximum and last are those of the samples', async () => {
      const { store, harness } = await openStore()
      await store.append(
        batchOf([
          [1, DAY_0, 0.1],
          [1, DAY_0 + MINUTE, 0.2],
          [1, DAY_0 + 2 * MINUTE, -0.6],
        ]),
      )
      for (const settled of [false, true]) {
        if (settled) await harness.settle(store)
        const ask = async (aggregate: 'avg' | 'min' | 'max' | 'last') =>
          (await store.range({ series: [1], fromMs: DAY_0, toMs: DAY_0 + HOUR, points: 1, aggregate })).series[0]
            ?.value[0]
        expect(await ask('avg')).toBeCloseTo(-0.1, 12)
        expect(await ask('min')).toBe(-0.6)
        expect(await ask('max')).toBe(0.2)
        expect(await ask('last')).toBe(-0.6)
      }
    })

    test('a series or a time without samples answers with no points; every series asked is answered in its order', async () => {
      const { store } = await openStore()
      await store.append(batchOf([[5, DAY_0, 1]]))
      const answer = await store.range({
        series: [9, 5],
        fromMs: DAY_0,
        toMs: DAY_0 + HOUR,
        points: 10,
        aggregate: 'avg',
      })
      expect(answer.series.map(s => [s.series, s.atMs.length])).toEqual([
        [9, 0],
        [5, 1],
      ])
      const before = await store.range({ series: [5], fromMs: DAY_0 - HOUR, toMs: DAY_0, points: 10, aggregate: 'avg' })
      expect(before.series[0]?.atMs.length).toBe(0)
    })

    test('the last sample is the newest by time, found in memory and, after a restart, in files', async () => {
      const { store, harness } = await openStore()
      await store.append(
        batchOf(
          [
            [1, DAY_0 + HOUR, 2],
            [2, DAY_0, 8],
          ],
          { sequence: 1 },
        ),
      )
      await store.append(batchOf([[1, DAY_0, 1]], { sequence: 1, lane: 'backlog' }))
      const expected = [
        { series: 1, atMs: DAY_0 + HOUR, value: 2 },
        { series: 2, atMs: DAY_0, value: 8 },
      ]
      expect(await store.last([1, 2, 3])).toEqual(expected)
      await harness.settle(store)
      const reopened = await harness.reopen(store)
      expect(await reopened.last([1, 2, 3])).toEqual(expected)
      await reopened.append(batchOf([[1, DAY_0 + 30 * MINUTE, 9]], { sequence: 2, lane: 'backlog' }))
      expect(await reopened.last([1])).toEqual([expected[0]])
    })

    test('replay gives batches back whole, in order, after a position', async () => {
      const { store, harness } = await openStore()
      const first = batchOf(
        [
          [1, DAY_0, 1.5],
          [2, DAY_0 + 1, -0],
        ],
        { attachment: Uint8Array.of(1, 2, 3), arrivedMs: DAY_0 + 77 },
      )
      const second = batchOf([], { sequence: 2, attachment: Uint8Array.of(9) })
      const a = await store.append(first)
      const b = await store.append(second)
      const reopened = await harness.reopen(store)
      const replayed = await reopened.replay(0, 10)
      expect(replayed).toEqual([
        { ...first, position: a.position },
        { ...second, position: b.position },
      ])
      expect((await reopened.replay(a.position, 10)).map(batch => batch.sequence)).toEqual([2])
      expect((await reopened.replay(0, 1)).map(batch => batch.sequence)).toEqual([1])
    })

    test('batches stay to be replayed until they are both applied and settled; positions are never used again', async () => {
      const { store, harness } = await openStore()
      const positions: number[] = []
      for (let sequence = 1; sequence <= 4; sequence++) {
        positions.push((await store.append(batchOf([[1, DAY_0 + sequence * MINUTE, 1]], { sequence }))).position)
      }
      await harness.settle(store)
      expect((await store.replay(0, 10)).length).toBe(4)
      await store.applied(positions[3] ?? 0)
      await harness.settle(store)
      const reopened = await harness.reopen(store)
      const next = await reopened.append(batchOf([[1, DAY_0 + HOUR, 1]], { sequence: 5 }))
      expect(next.position).toBeGreaterThan(positions[3] ?? 0)
      expect((await reopened.replay(positions[3] ?? 0, 10)).map(batch => batch.sequence)).toEqual([5])
    })

    test('a forgotten series is found no more, also what comes later and after reopening; others stay', async () => {
      const { store, harness } = await openStore()
      await store.append(
        batchOf(
          [
            [1, DAY_0, 1],
            [2, DAY_0, 2],
          ],
          { sequence: 1 },
        ),
      )
      await harness.settle(store)
      await store.append(batchOf([[1, DAY_0 + MINUTE, 1]], { sequence: 2 }))
      await store.forget([1])
      await store.append(batchOf([[1, DAY_0 + 2 * MINUTE, 1]], { sequence: 3 }))
      await harness.settle(store)
      for (const current of [store, await harness.reopen(store)]) {
        if (current === store) continue
        expect(await rawOf(current, 1, DAY_0, DAY_0 + HOUR)).toEqual([])
        expect(await current.last([1, 2])).toEqual([{ series: 2, atMs: DAY_0, value: 2 }])
      }
    })

    test('NaN, infinities, broken times, ids out of range and uneven columns are refused and nothing is stored', async () => {
      const { store } = await openStore()
      const bad: Row[] = [
        [1, DAY_0, Number.NaN],
        [1, DAY_0, Number.POSITIVE_INFINITY],
        [1, DAY_0 + 0.5, 1],
        [1, -1, 1],
        [0, DAY_0, 1],
        [2 ** 24, DAY_0, 1],
      ]
      for (const row of bad) await expect(store.append(batchOf([[3, DAY_0, 1], row]))).rejects.toThrow(RangeError)
      const uneven = batchOf([[1, DAY_0, 1]])
      await expect(
        store.append({ ...uneven, samples: { ...uneven.samples, value: new Float64Array(2) } }),
      ).rejects.toThrow(RangeError)
      expect(await store.last([1, 3])).toEqual([])
      expect(await store.lastSequence(uneven)).toBe(0)
    })

    test('a range without bounds, or with too many points, is refused', async () => {
      const { store } = await openStore()
      const query = { series: [1], fromMs: DAY_0, toMs: DAY_0 + HOUR, points: 10, aggregate: 'avg' as const }
      for (const wrong of [
        { points: 0 },
        { points: 20_001 },
        { points: 1.5 },
        { fromMs: Number.NaN },
        { toMs: Number.POSITIVE_INFINITY },
      ]) {
        await expect(store.range({ ...query, ...wrong })).rejects.toThrow(RangeError)
      }
      const empty = await store.range({ ...query, fromMs: DAY_0, toMs: DAY_0 })
      expect(empty.series[0]?.atMs.length).toBe(0)
    })
  })
}
