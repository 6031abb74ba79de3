import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALWAYS } from '@narval/contracts'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEmbeddedSampleStore } from './samples/embedded.ts'
import { type Database, openSqlite } from './store/database.ts'
import { openReceiver, type Receiver } from './testing/receiver.ts'
import type { Acknowledged, Life } from './told-kill.child.ts'

/** Servers side by side, each with a folder, a journal and a database of its own; how often each is killed. */
const SERVERS = 2
const LIVES = 100
/** Hosts that each life makes, and that fail in the next one; those that were told come back. */
const HOSTS_A_LIFE = 2
const STEADY = 'charge'
const SOURCES = fileURLToPath(new URL('.', import.meta.url))
/** Where what is not bundled is found from. */
const BUNDLE = join(SOURCES, '../../../node_modules/.narval-told-kill')
const scratch = mkdtempSync(join(tmpdir(), 'narval-kill-'))
/** A file that becomes a thread of its own. */
const THREAD = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/** In one file, two hundred starts take half of their time. */
beforeAll(() =>
  build({
    ...{ configFile: false, root: SOURCES, logLevel: 'warn' },
    plugins: [
      {
        name: 'threads',
        enforce: 'pre',
        transform: code => code.replaceAll(THREAD, "new URL('./$1.js', import.meta.url)"),
      },
    ],
    ssr: { noExternal: true, external: ['better-sqlite3', 'pg'] },
    build: {
      ...{ ssr: true, target: 'node24', minify: false, outDir: BUNDLE, emptyOutDir: true },
      rolldownOptions: {
        input: { child: join(SOURCES, 'told-kill.child.ts'), worker: join(SOURCES, 'samples/worker.ts') },
      },
    },
  }),
)
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
  rmSync(BUNDLE, { recursive: true, force: true })
})

const live = (life: Life, hear: (acknowledged: Acknowledged) => void): Promise<NodeJS.Signals | number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(BUNDLE, 'child.js'), JSON.stringify(life)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(scratch, 'compiled') },
    })
    let [told, said] = ['', '']
    child.stdout.on('data', (part: Buffer) => {
      told += part.toString()
    })
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString()
    })
    child.on('close', (code, signal) => {
      if (code !== null && code !== 0) reject(new Error(`${JSON.stringify(life.end)}: ${said}`))
      // What was cut in the middle of a line was not said.
      for (const line of told.split('\n').slice(0, -1)) hear(JSON.parse(line))
      resolve(signal ?? code)
    })
  })

/** A way to reach somebody, a rule that tells him all, a probe, and failures that are confirmed at once. */
const prepare = async ({ db }: Database, url: string): Promise<void> => {
  const stamps = { created_at: 1, updated_at: 1, updated_by: null }
  await db
    .insertInto('notification_channel')
    .values({
      ...{ ...stamps, name: 'Appel', name_folded: 'appel', kind: 'webhook', secret: '', enabled: 1 },
      settings: JSON.stringify({ url, body: '{"kind": "{{kind}}", "subject": "{{subject}}"}' }),
      ...{ last_at: null, last_outcome: null, last_answer: null, last_ms: null, failing_since: null },
    })
    .execute()
  const rule = {
    ...{ severities: ['error'], kinds: ['host', 'metric'], siteIds: [], hostTypeIds: [], tags: [], period: ALWAYS },
    steps: [{ afterMinutes: 0, untilMinutes: null, accountIds: [], groupIds: [], channelIds: [1] }],
    ...{ waitSeconds: null, newsMinutes: null, reminderMinutes: 0, tellRecovery: true, tellBrief: true, stop: false },
  }
  await db
    .insertInto('notification_rule')
    .values({
      ...{ ...stamps, name: 'Tout', name_folded: 'tout', position: 1, enabled: 1 },
      settings: JSON.stringify(rule),
    })
    .execute()
  await db
    .insertInto('probe')
    .values({
      ...{ ...stamps, name: 'Sonde', name_folded: 'sonde', site_id: null, public_key: '-', approval: 'approved' },
      ...{ local: 1, version: '', address: '', last_contact_at: null, boot_id: null, announced: null },
    })
    .execute()
  await db.insertInto('setting').values({ key: 'attempts', value: '1', updated_at: 1, updated_by: null }).execute()
}

/** Where each life ends: before each of its writes in turn, the first of its opening too, once it has sent, or at random. */
const endOf = (life: number): Life['end'] => {
  const turn = Math.floor(life / 8)
  if (life % 8 === 0) return { at: 'opening', count: 1 + (turn % 5) }
  if (life % 8 <= 3) return { at: 'write', count: 1 + ((life % 8) - 1) * 25 + turn }
  if (life % 8 <= 5) return { at: 'sent', count: 1 + (turn % 4) }
  return { at: 'time', ms: Math.random() * 150 }
}

/** What came about a host, in the order in which it came. */
const cameOf = (receiver: Receiver, name: string) =>
  receiver.received.flatMap(({ body, headers }) => {
    const { kind, subject } = JSON.parse(body)
    return String(subject).includes(name) ? [{ kind: String(kind), key: String(headers['x-narval-key']) }] : []
  })

/** Kills one server again and again, then lets what is left fail, be told, come back, and that be told. */
const killAgain = async (folder: string, receiver: Receiver) => {
  const made = new Set<string>()
  const failed: string[] = []
  const back = new Set<string>()
  let waiting: string[] = []
  let batch: Life['batch'] = { sequence: 1, failing: [], good: [] }
  let [next, nowMs] = [1, START_MS]
  const hear = (told: Acknowledged): void => {
    if ('value' in told) next = told.value + 1
    else if ('made' in told) {
      made.add(told.made)
      if (told.made !== STEADY) waiting.push(told.made)
    } else {
      failed.push(...batch.failing)
      for (const name of batch.good) back.add(name)
      const good = failed.filter(name => !back.has(name) && cameOf(receiver, name).length > 0)
      batch = { sequence: batch.sequence + 1, failing: waiting, good }
      waiting = []
    }
  }
  const step = async (end: Life['end'], make: readonly string[]) => {
    const stream = made.size === 0 ? null : { host: STEADY, next }
    const signal = await live({ folder, nowMs, end, make, batch, stream }, hear)
    nowMs += 120_000
    return signal
  }
  await step({ at: 'never' }, [STEADY])
  for (let life = 0; life < LIVES; life += 1) {
    const names = Array.from({ length: HOSTS_A_LIFE }, (_, n) => `eq-${life}-${n}-fin`)
    expect(await step(endOf(life), names)).toBe('SIGKILL')
  }
  for (let calm = 0; calm < 4; calm += 1) expect(await step({ at: 'never' }, [])).toBe(0)
  return { made, failed, next }
}

const START_MS = Date.parse('2026-11-20T08:00:00Z')

it(`R01, R17: killed ${SERVERS * LIVES} times between a result, its incident, who is told of it, its sending and its mark: each message comes once or twice by the same key, none is lost, and what was acknowledged is there once`, async () => {
  const all = await Promise.all(
    Array.from({ length: SERVERS }, async (_, server) => {
      const folder = join(scratch, String(server))
      const receiver = await openReceiver()
      const first = await openSqlite(join(folder, 'narval.db'))
      await prepare(first, receiver.url)
      await first.close()
      const { made, failed, next } = await killAgain(folder, receiver)
      await receiver.close()
      const keys = receiver.received.map(({ headers }) => String(headers['x-narval-key']))
      const counts = [...Map.groupBy(keys, key => key).values()].map(({ length }) => length)
      const wrong = failed.filter(name => !isToldOnce(cameOf(receiver, name)))
      expect(wrong.map(name => [name, cameOf(receiver, name)])).toEqual([])
      expect(Math.max(...counts)).toBeLessThanOrEqual(2)
      await expectWhole(folder, { made, failed, next, keys: new Set(keys) })
      return { failed: failed.length, twice: counts.filter(count => count === 2).length, messages: counts.length }
    }),
  )
  const sum = (what: keyof (typeof all)[number]): number => all.reduce((total, one) => total + one[what], 0)
  const [failed, twice, messages] = [sum('failed'), sum('twice'), sum('messages')]
  process.stdout.write(
    `${SERVERS * LIVES} kills: ${failed} failures, ${messages} messages, ${twice} of them came twice, none was lost\n`,
  )
  // It would show nothing if no kill had hit between the sending and its mark, or before the sending.
  expect([failed > LIVES, messages === 2 * failed, twice > LIVES / 5, twice < messages]).toEqual([
    ...[true, true, true, true],
  ])
}, 900_000)

/** Its problem, then its end, each by one key. */
const isToldOnce = (came: ReturnType<typeof cameOf>): boolean =>
  /^(problem ?){1,2}(recovery ?){1,2}$/.test(came.map(({ kind }) => kind).join(' ')) &&
  new Set(came.map(({ key }) => key)).size === 2

interface Expected {
  readonly made: ReadonlySet<string>
  readonly failed: readonly string[]
  readonly next: number
  readonly keys: ReadonlySet<string>
}

/** What the database and the journal hold at the end is what was acknowledged, once, and what was told. */
const expectWhole = async (folder: string, { made, failed, next, keys }: Expected): Promise<void> => {
  const { db, close } = await openSqlite(join(folder, 'narval.db'))
  const rows = await db.selectFrom('delivery').select(['delivery_key', 'state']).execute()
  const told = await db.selectFrom('incident_event').select('id').where('kind', '=', 'notified').execute()
  const hosts = await db
    .selectFrom('host')
    .innerJoin('site', 'site.id', 'host.site_id')
    .select(['host.name', 'site.code'])
    .execute()
  const incidents = await db.selectFrom('incident').select('closed_at').execute()
  const threads = await db.selectFrom('notification_thread').select('id').execute()
  const metric = await db
    .selectFrom('metric')
    .innerJoin('host', 'host.id', 'metric.host_id')
    .select('metric.id')
    .where('host.name', '=', STEADY)
    .where('metric.key', '=', 'rtt_avg')
    .executeTakeFirstOrThrow()
  await close()
  expect(new Set(rows.map(row => row.delivery_key))).toEqual(keys)
  expect([rows.length, told.length]).toEqual([keys.size, keys.size])
  expect(new Set(rows.map(row => row.state))).toEqual(new Set(['sent']))
  expect(incidents.length).toBe(new Set(failed).size)
  expect([incidents.every(({ closed_at }) => closed_at !== null), threads.length]).toEqual([true, 0])
  const named = Map.groupBy(hosts, ({ name }) => name)
  expect([...made].filter(name => named.get(name)?.length !== 1 || named.get(name)?.[0]?.code !== name)).toEqual([])

  const samples = await openEmbeddedSampleStore({ folder: join(folder, 'samples') })
  const fromMs = START_MS - 86_400_000
  const range = { fromMs, toMs: fromMs + 3 * 86_400_000, points: 20_000, aggregate: 'last', resolution: 'raw' } as const
  const { series } = await samples.range({ series: [metric.id], ...range })
  await samples.close()
  const values = [...(series[0]?.value ?? [])].toSorted((a, b) => a - b)
  expect(values).toEqual(Array.from({ length: next - 1 }, (_, n) => n + 1))
}
