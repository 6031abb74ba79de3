import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { createHostScene, type HostScene } from '../testing/host-scene.ts'
import { DIALECTS } from '../testing/test-app.ts'

/** Tables that evaluation writes, each after those that it refers to. */
const WRITTEN = ['incident', 'metric_state', 'incident_event', 'incident_effect', 'outbox', 'position'] as const
type Rows = Record<string, unknown>[]
interface Snapshot {
  readonly tables: ReadonlyMap<(typeof WRITTEN)[number], Rows>
  readonly hosts: Rows
}

describe.each(DIALECTS)('a server that died, on %s', dialect => {
  let scene: HostScene
  beforeEach(async () => {
    scene = await createHostScene(dialect)
  })
  afterEach(() => scene.test.close())

  const take = async (): Promise<Snapshot> => {
    const { db } = scene.test.database
    const tables = new Map<(typeof WRITTEN)[number], Rows>()
    for (const table of WRITTEN)
      tables.set(table, (await sql`select * from ${sql.table(table)}`.execute(db)).rows as Rows)
    const hosts = (await sql`select id, state, severity_rank, state_since, vouched_at from host`.execute(db))
      .rows as Rows
    return { tables, hosts }
  }
  /** The database as it was: what was written since is lost, as by a crash before the commit. */
  const put = async ({ tables, hosts }: Snapshot) => {
    const { db } = scene.test.database
    for (const table of WRITTEN.toReversed()) await sql`delete from ${sql.table(table)}`.execute(db)
    for (const [table, rows] of tables) {
      // An incident may be explained by one that was opened after it.
      const ordered = table === 'incident' ? rows.map(row => ({ ...row, parent_id: null })) : rows
      for (const row of ordered) {
        const names = sql.join(Object.keys(row).map(name => sql.ref(name)))
        await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(db)
      }
      if (table !== 'incident') continue
      for (const { id, parent_id } of rows)
        await sql`update incident set parent_id = ${parent_id} where id = ${id}`.execute(db)
    }
    for (const { id, state, severity_rank, state_since, vouched_at } of hosts)
      await sql`update host set state = ${state}, severity_rank = ${severity_rank}, state_since = ${state_since},
        vouched_at = ${vouched_at} where id = ${id}`.execute(db)
  }
  /** What a replay must find again; ids and times of the commit are its own. */
  const kept = async () => {
    const { db } = scene.test.database
    const incidents =
      await sql`select child.event_key, root.event_key as root, child.severity_rank, child.worst_rank, child.information,
      child.opened_at, child.closed_at, child.reopened from incident child left join incident root on root.id = child.parent_id
      order by child.event_key`.execute(db)
    const states =
      await sql`select metric_id, severity_rank, hard_rank, kind, attempt, cause, hard_cause, incident_rank, held, since,
      hard_since, problem_since, information from metric_state order by metric_id`.execute(db)
    const effects = await sql`select effect.host_id, incident.event_key from incident_effect effect
      join incident on incident.id = effect.incident_id where effect.until is null order by effect.host_id`.execute(db)
    const lines =
      await sql`select event_key from incident_event where kind in ('opened', 'reopened', 'closed', 'separated')
      order by event_key`.execute(db)
    const hosts = await sql`select id, state, state_since from host order by id`.execute(db)
    return [incidents.rows, states.rows, effects.rows, lines.rows, hosts.rows]
  }
  const told = async () =>
    (await scene.test.database.db.selectFrom('outbox').select('event_key').orderBy('id').execute()).map(
      row => row.event_key,
    )

  it('after any of its commits finds by the journal the same incidents, merged alike, the same states and effects, and tells nothing new', async () => {
    for (const [name, ...parents] of [
      ['routeur'],
      ['switch', 'routeur'],
      ['a', 'switch'],
      ['b', 'switch'],
      ['c', 'routeur'],
      ['seul'],
    ] as const)
      await scene.add(name, ...parents)
    const snapshots: Snapshot[] = []
    const step = async (work: Promise<void>) => {
      await work
      snapshots.push(await take())
    }
    await step(scene.answer('routeur', 'switch', 'a', 'b', 'c', 'seul'))
    // « a » is told while its switch answers; the switch, then the router, turn out to be down; « c » is held for a while.
    for (let attempt = 0; attempt < 3; attempt++) {
      await step(scene.fail('a'))
      await step(scene.answerNow('switch'))
      // What changes after a parent was heard moves the place that a replay begins at past its word.
      await step(scene.failNow('seul'))
    }
    await step(scene.fail('c', 'b'))
    for (let attempt = 0; attempt < 3; attempt++) {
      await step(scene.fail('switch', 'b'))
      await step(scene.answerNow('routeur'))
    }
    for (let attempt = 0; attempt < 3; attempt++) await step(scene.fail('routeur', 'c', 'a'))
    const after = await kept()
    const alerts = await told()
    expect(after[0]).toHaveLength(5)
    expect(after[2]).toHaveLength(4)
    for (const snapshot of snapshots) {
      await put(snapshot)
      const again = await createApp({
        ...{
          database: scene.test.database,
          samples: scene.test.samples,
          key: () => new Uint8Array(32),
          now: scene.now,
        },
        serverKey: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        log: pino({ level: 'silent' }),
      })
      await again.start()
      expect(await kept()).toEqual(after)
      // What was merged before it could be told is not told: no more than before, nothing twice.
      const retold = await told()
      expect(new Set(retold).size).toBe(retold.length)
      for (const key of retold) expect(alerts).toContain(key)
      expect(retold).toContain(alerts.at(-1))
      await again.stop()
    }
  }, 90_000)
})
