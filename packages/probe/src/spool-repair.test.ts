import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSpool, type SpoolOptions } from './spool.ts'
import { SPOOL_DEFAULTS } from './spool-defaults.ts'
import { openOrRepair, suspect } from './spool-repair.ts'

const NOW = 1_700_000_000_000
const COUNT = 5_000
let folder: string
let file: string
const options = (bootId = 'ab'.repeat(8)): SpoolOptions => ({ ...SPOOL_DEFAULTS, file, bootId })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'narval-repair-'))
  file = join(folder, 'spool.db')
  const spool = openSpool(options())
  const results = Array.from({ length: COUNT }, (_, n) => ({
    at: NOW,
    body: JSON.stringify({ n, padding: 'x'.repeat(80) }),
  }))
  spool.apply(
    [
      { kind: 'append', results },
      { kind: 'take', lane: 'live', empty: false },
    ],
    NOW,
  )
  spool.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

const damage = (at: number, bytes: Buffer): void => {
  const fd = openSync(file, 'r+')
  writeSync(fd, bytes, 0, bytes.length, at)
  closeSync(fd)
}

describe('R06: a damaged spool', () => {
  it('a sound one is opened as it is', () => {
    const { spool, repair } = openOrRepair(options('cd'.repeat(8)))
    expect(repair).toBeNull()
    expect(spool.stats().backlog).toBe(COUNT)
    spool.close()
  })

  it('what is no database any more is kept aside, and a new one begins', () => {
    writeFileSync(file, 'nothing of a database '.repeat(1_000))
    const { spool, repair } = openOrRepair(options('cd'.repeat(8)))
    expect(repair).toEqual({ file: join(folder, 'spool.damaged.db'), kept: 0 })
    spool.apply([{ kind: 'append', results: [{ at: NOW, body: '{}' }] }], NOW)
    expect(spool.stats().backlog).toBe(1)
    spool.close()
    expect(statSync(join(folder, 'spool.damaged.db')).size).toBeGreaterThan(10_000)
  })

  it('pages that were overwritten cost their results, not those that can still be read', () => {
    const pages = statSync(file).size / 4_096
    damage(Math.floor(pages * 0.7) * 4_096, Buffer.alloc(4 * 4_096, 0xa5))
    const { spool, repair } = openOrRepair(options('cd'.repeat(8)))
    expect(repair?.kept).toBeGreaterThan(COUNT * 0.3)
    expect(repair?.kept).toBeLessThan(COUNT)
    expect(spool.stats().backlog).toBe(repair?.kept)
    // The batch that was formed keeps its key: the server knows it if it has it already.
    expect(spool.apply([{ kind: 'take', lane: 'live', empty: false }], NOW)[0]).toMatchObject({
      boot: 'ab'.repeat(8),
      sequence: 1,
    })
    spool.close()
  })

  it('a file that was cut short is repaired too', () => {
    const fd = openSync(file, 'r+')
    ftruncateSync(fd, Math.floor(statSync(file).size / 8_192) * 4_096)
    closeSync(fd)
    const { spool, repair } = openOrRepair(options('cd'.repeat(8)))
    expect(repair).not.toBeNull()
    spool.close()
  })

  it('damage that work has met is looked after at the next opening, once', () => {
    suspect(file, Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' }))
    const first = openOrRepair(options('cd'.repeat(8)))
    expect(first.repair?.kept).toBe(COUNT)
    first.spool.close()
    expect(existsSync(`${file}.suspect`)).toBe(false)
    const second = openOrRepair(options('ef'.repeat(8)))
    expect(second.repair).toBeNull()
    expect(second.spool.stats().backlog).toBe(COUNT)
    second.spool.close()
  })
})
