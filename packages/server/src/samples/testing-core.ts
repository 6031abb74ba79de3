import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packBatch } from './batch-pack.ts'
import { openCore } from './embedded-core.ts'
import { HOUR_MS } from './periods.ts'
import type { SampleStoreLog, WorkerSettings } from './protocol.ts'
import { batchOf, DAY_0 } from './sample-store.contract.ts'

type Row = readonly [series: number, atMs: number, value: number]

const RETENTION = { rawDays: 90, fiveMinutesDays: 365, hourDays: 1825 }

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'narval-core-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const settingsOf = (given: Partial<WorkerSettings> = {}): WorkerSettings => ({
  folder: tempFolder(),
  sealAfterMs: 0,
  sealAfterBytes: 2 ** 30,
  journalMaxBytes: 2 ** 30,
  retention: RETENTION,
  failpoints: undefined,
  ...given,
})

/** A core that ends with the test, and the batches it was given numbered from 1. */
export function openTest(given: Partial<WorkerSettings> = {}) {
  const settings = settingsOf(given)
  const logs: SampleStoreLog[] = []
  const core = openCore(settings, (level, message) => logs.push({ level, message }))
  onTestFinished(() => core.close())
  let sequence = 0
  const add = (rows: readonly Row[], arrivedMs = DAY_0 + 12 * HOUR_MS): void => {
    const { samples, attachment, ...key } = batchOf(rows, { arrivedMs, sequence: ++sequence })
    core.append([{ ...key, body: packBatch(samples, attachment) }])
  }
  return { core, add, logs, folder: settings.folder, settings }
}
