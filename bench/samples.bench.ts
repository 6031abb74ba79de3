/**
 * The embedded sample store against one SQLite row a sample, in the same run. One line a figure:
 * name, value with unit, the plain table's, ratio. `npm run node -- bench/samples.bench.ts [--quick]`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type DatabaseConstructor from 'better-sqlite3'
import { type EmbeddedSampleStore, openEmbeddedSampleStore } from '../packages/server/src/samples/embedded.ts'
import type { Batch, SampleStore } from '../packages/server/src/samples/sample-store.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const START = Date.UTC(2026, 2, 2)
const BATCH_SAMPLES = 1000
const IN_FLIGHT = 32
const NO_BYTES = new Uint8Array()
const isQuick = process.argv.includes('--quick')

const Database: typeof DatabaseConstructor = createRequire(new URL('../packages/server/package.json', import.meta.url))(
  'better-sqlite3',
)

type Kind = 'gauge' | 'counter'

function say(name: string, value: number, unit: string, peer?: number, smallerIsBetter = true): void {
  const shown = (v: number): string => v.toLocaleString('en', { maximumSignificantDigits: 4 })
  const ratio =
    peer === undefined
      ? ''
      : ` | one row a sample ${shown(peer)} ${unit} | ×${shown(smallerIsBetter ? peer / value : value / peer)}`
  console.log(`${name}: ${shown(value)} ${unit}${ratio}`)
}

let state = 12345
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}
const gaussian = (): number => random() + random() + random() + random() + random() + random() - 3

/** A minute of every series: gauges wander by some ± 0.28 with three decimals, counters grow by up to 90 million. */
function createFleet(series: number, kind: Kind) {
  const level = new Float64Array(series + 1).fill(kind === 'gauge' ? 50_000 : 1e11)
  return (minute: number, sequence: { next: number }): Batch[] => {
    const batches: Batch[] = []
    for (let first = 1; first <= series; first += BATCH_SAMPLES) {
      const count = Math.min(BATCH_SAMPLES, series - first + 1)
      const samples = { series: new Int32Array(count), atMs: new Float64Array(count), value: new Float64Array(count) }
      for (let i = 0; i < count; i++) {
        const id = first + i
        const next = (level[id] ?? 0) + (kind === 'gauge' ? Math.round(gaussian() * 400) : Math.floor(random() * 9e7))
        level[id] = next
        samples.series[i] = id
        samples.atMs[i] = START + minute * MINUTE + ((id * 37) % 60) * 1000
        samples.value[i] = kind === 'gauge' ? next / 1000 : next
      }
      const arrivedMs = START + (minute + 1) * MINUTE
      batches.push({
        probe: 1,
        boot: 'b',
        lane: 'live',
        sequence: sequence.next++,
        arrivedMs,
        samples,
        attachment: NO_BYTES,
      })
    }
    return batches
  }
}

interface Cost {
  seconds: number
  cpuSeconds: number
  writtenBytes: number
}

const writtenBytes = (): number => Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)

async function measure(cost: Cost, work: () => Promise<void>): Promise<void> {
  const cpu = process.cpuUsage()
  const written = writtenBytes()
  const started = performance.now()
  await work()
  cost.seconds += (performance.now() - started) / 1000
  const used = process.cpuUsage(cpu)
  cost.cpuSeconds += (used.user + used.system) / 1e6
  cost.writtenBytes += writtenBytes() - written
}

/** Runs the clock over `minutes`, the batches made beforehand in slices so that making them is not counted. */
async function ingest(
  store: SampleStore & { maintain(): Promise<void> },
  clock: { now: number },
  fleet: ReturnType<typeof createFleet>,
  fromMinute: number,
  minutes: number,
  sequence: { next: number },
) {
  const appending: Cost = { seconds: 0, cpuSeconds: 0, writtenBytes: 0 }
  const sealing: Cost = { seconds: 0, cpuSeconds: 0, writtenBytes: 0 }
  let samples = 0
  let position = 0
  const SLICE = 30
  for (let minute = fromMinute; minute < fromMinute + minutes; minute += SLICE) {
    const batches: Batch[] = []
    for (let m = minute; m < Math.min(fromMinute + minutes, minute + SLICE); m++) batches.push(...fleet(m, sequence))
    clock.now = START + (minute + SLICE) * MINUTE
    await measure(appending, async () => {
      const waiting: Promise<{ position: number }>[] = []
      for (const batch of batches) {
        waiting.push(store.append(batch))
        if (waiting.length >= IN_FLIGHT) position = (await waiting.shift())?.position ?? position
      }
      for (const one of await Promise.all(waiting)) position = one.position
    })
    for (const batch of batches) samples += batch.samples.series.length
    await measure(sealing, async () => {
      await store.applied(position)
      await store.maintain()
    })
  }
  return { samples, appending, sealing }
}

function folderBytes(folder: string, prefix: string): number {
  return readdirSync(folder)
    .filter(name => name.startsWith(prefix))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-bench-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What most would write first: one row a sample, one transaction a batch, as durable. */
async function plainTable(folder: string, fleet: ReturnType<typeof createFleet>, minutes: number) {
  const db = new Database(join(folder, 'plain.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(
    'CREATE TABLE sample (series INTEGER, at INTEGER, value REAL, PRIMARY KEY (series, at)) STRICT, WITHOUT ROWID',
  )
  const insert = db.prepare('INSERT OR REPLACE INTO sample VALUES (?, ?, ?)')
  const cost: Cost = { seconds: 0, cpuSeconds: 0, writtenBytes: 0 }
  let samples = 0
  for (let minute = 0; minute < minutes; minute++) {
    const batches = fleet(minute, { next: 1 })
    await measure(cost, async () => {
      for (const { samples: columns } of batches) {
        db.transaction(() => {
          for (let i = 0; i < columns.series.length; i++)
            insert.run(columns.series[i], columns.atMs[i], columns.value[i])
        })()
        samples += columns.series.length
      }
    })
  }
  db.pragma('wal_checkpoint(TRUNCATE)')
  const read = db.prepare('SELECT at, value FROM sample WHERE series = ? AND at >= ? AND at < ?')
  const dayMs = await median(async () => void read.all(1 + Math.floor(random() * 100), START, START + DAY))
  const bytes = statSync(join(folder, 'plain.db')).size / samples
  db.close()
  return {
    perSecond: samples / cost.seconds,
    cpuMicros: (cost.cpuSeconds * 1e6) / samples,
    written: cost.writtenBytes / samples,
    bytes,
    dayMs,
  }
}

async function median(work: () => Promise<void>, times = 41): Promise<number> {
  const durations: number[] = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await work()
    durations.push(performance.now() - started)
  }
  return durations.sort((a, b) => a - b)[times >> 1] ?? 0
}

async function ingestAndRead(
  series: number,
  minutes: number,
  plain: Awaited<ReturnType<typeof plainTable>>,
): Promise<void> {
  await inFolder(async folder => {
    const clock = { now: START }
    const options = { folder, now: () => clock.now, maintainEveryMs: 0, callTimeoutMs: 600_000 }
    let store = await openEmbeddedSampleStore(options)
    const sequence = { next: 1 }
    const run = await ingest(store, clock, createFleet(series, 'gauge'), 0, minutes, sequence)
    const label = `${series.toLocaleString('en')} series`
    const work = (await store.stats()).sealedThrough > 0 ? 'ingest and sealing' : 'ingest, nothing sealed yet'
    const seconds = run.appending.seconds + run.sealing.seconds
    say(`ingest, acknowledged, ${label}`, run.samples / run.appending.seconds, 'samples/s', plain.perSecond, false)
    say(`${work}, ${label}`, run.samples / seconds, 'samples/s', plain.perSecond, false)
    say(`CPU of ingest, ${label}`, (run.appending.cpuSeconds * 1e6) / run.samples, 'µs/sample')
    say(
      `CPU of ${work}, ${label}`,
      ((run.appending.cpuSeconds + run.sealing.cpuSeconds) * 1e6) / run.samples,
      'µs/sample',
      plain.cpuMicros,
    )
    say(
      `written by ${work}, ${label}`,
      (run.appending.writtenBytes + run.sealing.writtenBytes) / run.samples,
      'B/sample',
      plain.written,
    )
    const { headSamples } = await store.stats()
    const rss = process.memoryUsage().rss
    await store.close()
    const opening = performance.now()
    store = await openEmbeddedSampleStore(options)
    say(`start, ${label}, ${headSamples.toLocaleString('en')} unsealed samples`, performance.now() - opening, 'ms')
    say(`memory of the process at the end, ${label}`, rss / 2 ** 20, 'MiB')
    await whileSealing(store, clock, series, sequence, label)
    const toMs = START + minutes * MINUTE
    const one = (): number => 1 + Math.floor(random() * series)
    const fromMs = Math.max(START, toMs - DAY)
    const day = await median(
      async () => void (await store.range({ series: [one()], fromMs, toMs, points: 1440, aggregate: 'avg' })),
    )
    say(
      `one series, ${Math.round((toMs - fromMs) / 3_600_000)} h, ${label}`,
      day,
      'ms',
      minutes >= 1440 ? plain.dayMs : undefined,
    )
    const last = await median(
      async () => void (await store.last(Array.from({ length: Math.min(series, 10_000) }, (_, i) => i + 1))),
      5,
    )
    say(`last of ${Math.min(series, 10_000).toLocaleString('en')} series, ${label}`, last, 'ms')
    await store.close()
  })
}

/** Batches of 1,000 samples every 5 ms while all that is unsealed becomes chunks. */
async function whileSealing(
  store: EmbeddedSampleStore,
  clock: { now: number },
  series: number,
  sequence: { next: number },
  label: string,
): Promise<void> {
  const before = await store.stats()
  if (before.headSamples < series) return
  clock.now += 3 * 60 * MINUTE
  let isSealing = true
  const cost: Cost = { seconds: 0, cpuSeconds: 0, writtenBytes: 0 }
  const sealing = measure(cost, () => store.maintain()).finally(() => {
    isSealing = false
  })
  const delays: number[] = []
  const fleet = createFleet(BATCH_SAMPLES, 'gauge')
  for (let minute = clock.now / MINUTE; isSealing; minute++) {
    for (const batch of fleet(minute - START / MINUTE, sequence)) {
      const started = performance.now()
      await store.append(batch)
      delays.push(performance.now() - started)
    }
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  await sealing
  delays.sort((a, b) => a - b)
  const at = (share: number): number => delays[Math.floor((delays.length - 1) * share)] ?? 0
  say(`sealing, ${label}, ${before.headSamples.toLocaleString('en')} samples`, cost.seconds, 's')
  say(`acknowledged while sealing, p50, ${label}`, at(0.5), 'ms')
  say(`acknowledged while sealing, p99, ${label}`, at(0.99), 'ms')
}

async function sizeOnDisk(kind: Kind, series: number, plain: Awaited<ReturnType<typeof plainTable>>): Promise<void> {
  await inFolder(async folder => {
    const clock = { now: START }
    const store = await openEmbeddedSampleStore({
      folder,
      now: () => clock.now,
      maintainEveryMs: 0,
      sealAfterMs: 0,
      callTimeoutMs: 600_000,
    })
    const run = await ingest(store, clock, createFleet(series, kind), 0, 1440, { next: 1 })
    const label = `${kind}, ${series.toLocaleString('en')} series, 1 day`
    const stats = await store.stats()
    say(`on disk in slices as sealed, ${label}`, stats.rawBytes / run.samples, 'B/sample', plain.bytes)
    clock.now = START + 2 * DAY
    await store.maintain()
    await store.close()
    say(`on disk after the night, ${label}`, folderBytes(folder, 'raw-') / run.samples, 'B/sample', plain.bytes)
    say(`roll-ups on disk, ${label}`, folderBytes(folder, 'rollup-') / run.samples, 'B/sample')
  })
}

async function monthOf(series: number): Promise<void> {
  await inFolder(async folder => {
    const clock = { now: START }
    const store = await openEmbeddedSampleStore({
      folder,
      now: () => clock.now,
      maintainEveryMs: 0,
      callTimeoutMs: 600_000,
    })
    await ingest(store, clock, createFleet(series, 'gauge'), 0, 30 * 1440, { next: 1 })
    const toMs = START + 30 * DAY
    const one = (): number => 1 + Math.floor(random() * series)
    for (const points of [300, 1000, 2000]) {
      const ms = await median(
        async () => void (await store.range({ series: [one()], fromMs: START, toMs, points, aggregate: 'avg' })),
      )
      say(`one series, 30 d in ${points} points, ${series} series`, ms, 'ms')
    }
    const raw = await median(
      async () =>
        void (await store.range({
          series: [one()],
          fromMs: START,
          toMs,
          points: 1,
          aggregate: 'avg',
          resolution: 'raw',
        })),
    )
    say(`one series, 30 d raw (43,200 samples), ${series} series`, raw, 'ms')
    const day = await median(
      async () =>
        void (await store.range({ series: [one()], fromMs: toMs - DAY, toMs, points: 1440, aggregate: 'avg' })),
    )
    say(`one series, 24 h at a minute, ${series} series`, day, 'ms')
    await store.close()
  })
}

let plain: Awaited<ReturnType<typeof plainTable>> | undefined
await inFolder(async folder => {
  plain = await plainTable(folder, createFleet(1000, 'gauge'), isQuick ? 120 : 1440)
})
if (plain === undefined) throw new Error('no baseline')
for (const [series, minutes] of isQuick
  ? ([
      [1000, 300],
      [10_000, 150],
    ] as const)
  : ([
      [1000, 2880],
      [10_000, 600],
      [100_000, 119],
    ] as const)) {
  await ingestAndRead(series, minutes, plain)
}
for (const series of isQuick ? [1000] : [1000, 5000]) await sizeOnDisk('gauge', series, plain)
await sizeOnDisk('counter', 1000, plain)
await monthOf(isQuick ? 20 : 100)
