import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type EmbeddedSampleStore, openEmbeddedSampleStore } from './embedded.ts'
import type { Failpoint } from './failpoints.ts'
import { SampleStoreLocked } from './faults.ts'
import { BATCH_STEP_MS, batchNumber, expectedSeries, KILL_SERIES, KILL_START_MS } from './kill-fleet.ts'
import { SampleStoreBusy } from './sample-store.ts'

const CHILD = fileURLToPath(new URL('./embedded.child.ts', import.meta.url))
const KILLED_AT: readonly Failpoint[] = [
  'journal.before-commit',
  'journal.after-commit',
  'seal.begin',
  'seal.before-raw',
  'seal.after-raw',
  'seal.after-rollup',
  'seal.before-advance',
  'seal.after-advance',
  'trim.slice',
  'compact.before-commit',
  'compact.after-commit',
]
const PASSAGES = [1, 2, 5]
const RANDOM_KILLS = 30
/** A run ends where it is killed, most within 400 batches; how often it compacts depends on what sealing has left. */
const BATCHES_A_RUN = 2_000
/** More than were not acknowledged yet. */
const BATCHES_IN_FLIGHT = 400
const KEEP = { rawDays: 3000, fiveMinutesDays: 3000, hourDays: 3000 }
const HOUR = 3_600_000

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'narval-samples-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Run {
  readonly acknowledged: number
  readonly wasKilled: boolean
  readonly lines: readonly string[]
}

/** Runs the child until it ends or dies; `killAfter` acknowledgements kill it from outside. */
async function runChild(folder: string, failpoints: string, killAfter = Number.POSITIVE_INFINITY): Promise<Run> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, folder, failpoints, String(BATCHES_A_RUN)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let acknowledged = 0
  let acks = 0
  const closed = once(child, 'close')
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (!line.startsWith('ack ')) continue
    acknowledged = Math.max(acknowledged, Number(line.slice(4)))
    if (++acks === killAfter) child.kill('SIGKILL')
  }
  await closed
  return { acknowledged, wasKilled: child.signalCode === 'SIGKILL', lines }
}

const openAt = (folder: string, sequence: number): Promise<EmbeddedSampleStore> =>
  openEmbeddedSampleStore({
    folder,
    now: () => KILL_START_MS + (sequence + 1) * BATCH_STEP_MS,
    sealAfterMs: 0,
    maintainEveryMs: 0,
    retention: KEEP,
  })

type Samples = readonly (readonly [atMs: number, value: number])[]

/** Roll-up rows as anyone would compute them from the samples. */
function recompute(samples: Samples, widthMs: number) {
  const rows = new Map<number, { count: number; min: number; max: number; sum: number; last: number }>()
  for (const [atMs, value] of samples) {
    const start = Math.floor(atMs / widthMs) * widthMs
    const row = rows.get(start) ?? { count: 0, min: value, max: value, sum: 0, last: value }
    rows.set(start, {
      count: row.count + 1,
      min: Math.min(row.min, value),
      max: Math.max(row.max, value),
      sum: row.sum + value,
      last: value,
    })
  }
  return rows
}

async function expectWhole(store: EmbeddedSampleStore, last: number, fromSequence: number): Promise<number> {
  const expected = expectedSeries(last)
  const fromMs = Math.floor((KILL_START_MS + fromSequence * BATCH_STEP_MS) / HOUR) * HOUR
  const toMs = KILL_START_MS + (last + 10) * BATCH_STEP_MS
  let samples = 0
  for (let series = 1; series <= KILL_SERIES; series++) {
    const wanted = (expected.get(series) ?? []).filter(([atMs]) => atMs >= fromMs)
    const raw = await store.range({ series: [series], fromMs, toMs, points: 1, aggregate: 'avg', resolution: 'raw' })
    expect(Array.from(raw.series[0]?.atMs ?? [])).toEqual(wanted.map(([atMs]) => atMs))
    expect(Array.from(raw.series[0]?.value ?? [])).toEqual(wanted.map(([, value]) => value))
    samples += wanted.length
    await expectRollups(store, series, fromMs, toMs, wanted)
  }
  return samples
}

/** Month by month in 5 minutes and in hours: the finest that roll-ups are read at. */
async function expectRollups(
  store: EmbeddedSampleStore,
  series: number,
  fromMs: number,
  toMs: number,
  wanted: Samples,
): Promise<void> {
  for (const widthMs of [300_000, HOUR]) {
    const rows = recompute(wanted, widthMs)
    let seen = 0
    const spanMs = widthMs * 5000
    for (let from = fromMs; from < toMs; from += spanMs) {
      const end = Math.min(toMs, from + spanMs)
      const points = Math.ceil((end - from) / widthMs)
      const answer = await store.range({ series: [series], fromMs: from, toMs: end, points, aggregate: 'avg' })
      if (answer.stepMs !== widthMs) continue
      const { atMs = [], value = [], min = [], max = [], count = [] } = answer.series[0] ?? {}
      for (let i = 0; i < atMs.length; i++) {
        const row = rows.get(atMs[i] ?? 0)
        seen++
        expect([count[i], min[i], max[i]]).toEqual([row?.count, row?.min, row?.max])
        expect(value[i]).toBeCloseTo((row?.sum ?? 0) / (row?.count ?? 1), 9)
      }
    }
    if (spanMs <= toMs - fromMs) expect(seen).toBeGreaterThan(0)
  }
}

test('R01 R03 killed at every step of sealing and at random: nothing acknowledged is lost, nothing doubled, roll-ups equal a recomputation', {
  timeout: 600_000,
}, async () => {
  const folder = tempFolder()
  let kills = 0
  let checked = 0
  let last = 0
  const plans = [
    ...PASSAGES.flatMap(passage =>
      KILLED_AT.map(point => ({ failpoints: `${point}=kill:${passage}`, killAfter: Number.POSITIVE_INFINITY })),
    ),
    ...Array.from({ length: RANDOM_KILLS }, (_, i) => ({ failpoints: '', killAfter: 1 + ((i * 83) % 251) })),
  ]
  for (const { failpoints, killAfter } of plans) {
    const run = await runChild(folder, failpoints, killAfter)
    expect(run.lines.filter(line => line.startsWith('doubled'))).toEqual([])
    expect({ failpoints, wasKilled: run.wasKilled }).toEqual({ failpoints, wasKilled: true })
    kills++
    const store = await openAt(folder, Math.max(last, run.acknowledged) + BATCHES_IN_FLIGHT)
    const stored = await store.lastSequence({ probe: 1, boot: 'b', lane: 'live' })
    expect(stored).toBeGreaterThanOrEqual(Math.max(last, run.acknowledged))
    last = stored
    checked += await expectWhole(store, last, Math.max(0, last - 500))
    await store.close()
  }
  const store = await openAt(folder, last)
  await store.maintain()
  const samples = await expectWhole(store, last, 0)
  const { headSamples, lastError } = await store.stats()
  expect({ headSamples, lastError }).toEqual({ headSamples: 0, lastError: null })
  await store.close()
  process.stdout.write(
    `${kills} kills, ${last} batches, ${samples} samples whole at the end, ${checked} checked on the way\n`,
  )
  expect(kills).toBeGreaterThanOrEqual(50)
})

/** Of the month of the first batches, in hours. */
async function hoursOfMonth(store: EmbeddedSampleStore) {
  const [fromMs, toMs] = [KILL_START_MS, Date.UTC(2026, 3)]
  const series = Array.from({ length: KILL_SERIES }, (_, i) => i + 1)
  return (await store.range({ series, fromMs, toMs, points: 31 * 24, aggregate: 'avg' })).series
}

test('R01 R26 killed before and after days of hours become one chunk: the month reads the same', async () => {
  const folder = tempFolder()
  const [monthOver, batches] = [4_800, 200]
  const first = await openAt(folder, monthOver)
  for (let sequence = 1; sequence <= batches; sequence++) await first.append(batchNumber(sequence))
  const before = await hoursOfMonth(first)
  expect(before[0]?.count.length).toBeGreaterThan(30)
  await first.append(batchNumber(monthOver))
  await first.close()
  for (const failpoints of ['third.before-commit=kill', 'third.after-commit=kill']) {
    const run = await runChild(folder, failpoints)
    expect({ failpoints, wasKilled: run.wasKilled }).toEqual({ failpoints, wasKilled: true })
    const store = await openAt(folder, run.acknowledged + BATCHES_IN_FLIGHT)
    expect(await hoursOfMonth(store)).toEqual(before)
    await store.close()
  }
})

test('R20 a second process on the same folder is refused with the pid of the first; after a kill the folder is free', async () => {
  const folder = tempFolder()
  const child = spawn(process.execPath, [CHILD, folder, '', '1000000'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const refused = await openAt(folder, 0).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SampleStoreLocked)
  expect(String(refused)).toContain(String(child.pid))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const store = await openAt(folder, 0)
  await store.close()
})

/** A small disk of its own; null where the system allows no mount. */
function smallDisk(sizeMiB: number): string | null {
  const folder = tempFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder]).status !== 0) return null
  onTestFinished(() => void spawnSync('umount', [folder]))
  return folder
}

test('R05 a disk really full: batches refused as busy, reads go on, nothing acknowledged lost, resumed without restart', async context => {
  const folder = smallDisk(24)
  if (folder === null) return context.skip('no mount here')
  let sequence = 0
  let store = await openAt(folder, 0)
  const appendUntil = async (end: (error: unknown) => boolean, limit: number): Promise<unknown> => {
    for (let i = 0; i < limit; i++) {
      const refused = await store.append(batchNumber(sequence + 1)).then(
        () => null,
        (error: unknown) => error,
      )
      if (refused === null) sequence++
      if (end(refused)) return refused
    }
    throw new Error('nothing happened')
  }
  await appendUntil(() => sequence === 300, 300)
  await store.maintain()
  const filler = join(folder, 'filler')
  for (let size = 2 ** 20; size >= 4096; size /= 2) {
    for (let i = 0; ; i++) {
      try {
        writeFileSync(`${filler}-${size}-${i}`, new Uint8Array(size))
      } catch {
        rmSync(`${filler}-${size}-${i}`, { force: true })
        break
      }
    }
  }
  expect(await appendUntil(error => error !== null, 20_000)).toBeInstanceOf(SampleStoreBusy)
  await store.maintain()
  expect((await store.stats()).lastError).not.toBeNull()
  await expectWhole(store, sequence, Math.max(0, sequence - 500))
  const full = sequence
  for (const { stdout } of [spawnSync('find', [folder, '-name', 'filler*', '-delete', '-print'])])
    expect(stdout.length).toBeGreaterThan(0)
  await appendUntil(() => sequence === full + 50, 50)
  await store.maintain()
  expect((await store.stats()).lastError).toBeNull()
  await expectWhole(store, sequence, 0)
  await store.close()
  store = await openAt(folder, sequence)
  await expectWhole(store, sequence, 0)
  await store.close()
})
