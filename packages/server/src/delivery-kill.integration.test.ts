import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { openSqlite } from './store/database.ts'
import { openReceiver } from './testing/receiver.ts'

const LIVES = 200
const CHILD = fileURLToPath(new URL('delivery-kill.child.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'narval-kill-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const live = (path: string, life: number, end: string): Promise<NodeJS.Signals | number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, path, String(life), end], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Compiled once, by the first life: two hundred starts take a third of the time.
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    })
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString()
    })
    child.on('exit', (code, signal) =>
      code === null || code === 0 ? resolve(signal ?? code) : reject(new Error(`life ${life} (${end}): ${said}`)),
    )
  })

it(`R17: killed ${LIVES} times between the change, its commit, its sending and its mark, each is told once or twice by the same key, none is lost`, async () => {
  const receiver = await openReceiver()
  const path = join(folder, 'narval.db')
  const first = await openSqlite(path)
  await first.db
    .insertInto('notification_channel')
    .values({
      ...{ name: 'Appel', name_folded: 'appel', kind: 'webhook', secret: '', enabled: 1, created_at: 1, updated_at: 1 },
      ...{ settings: JSON.stringify({ url: receiver.url, body: '{"key": "{{key}}"}' }), updated_by: null },
      ...{ last_at: null, last_outcome: null, last_answer: null, last_ms: null, failing_since: null },
    })
    .execute()
  await first.close()
  expect(await live(path, LIVES, 'none')).toBe(0)
  const ends = ['commit', 'sent', 'time']
  for (let life = 0; life < LIVES; life += 1) expect(await live(path, life, ends[life % 3] ?? 'time')).toBe('SIGKILL')
  expect(await live(path, LIVES, 'none')).toBe(0)
  await receiver.close()

  const { db, close } = await openSqlite(path)
  const rows = await db.selectFrom('delivery').select(['delivery_key', 'state']).execute()
  const incidents = await db.selectFrom('incident').select('event_key').execute()
  const told = await db.selectFrom('incident_event').select('id').where('kind', '=', 'notified').execute()
  await close()
  const counts = new Map<string, number>()
  for (const { headers } of receiver.received) {
    const key = String(headers['x-narval-key'])
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  // Each change has what is to be told of it, each of these was told, and nothing else was.
  expect(rows.map(row => row.delivery_key).toSorted()).toEqual(incidents.map(row => row.event_key).toSorted())
  expect([...counts.keys()].toSorted()).toEqual(rows.map(row => row.delivery_key).toSorted())
  expect(new Set(rows.map(row => row.state))).toEqual(new Set(['sent']))
  expect(told.length).toBe(rows.length)
  const twice = [...counts.values()].filter(count => count === 2).length
  expect([...counts.values()].every(count => count <= 2)).toBe(true)
  // It would show nothing if no kill had hit between the sending and its mark, or before the sending.
  expect([rows.length > LIVES, twice > LIVES / 10, twice < rows.length]).toEqual([true, true, true])
}, 900_000)
