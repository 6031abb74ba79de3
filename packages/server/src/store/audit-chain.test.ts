import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS, openTestDatabase } from '../testing/test-database.ts'
import { type AuditEntry, audit, auditAll } from './audit.ts'
import { type AnchorStore, type AuditChain, createAuditChain, createMemoryAnchor } from './audit-chain.ts'
import { attachAuditKey } from './audit-seal.ts'
import { purgeAudit, verifyAudit } from './audit-verify.ts'
import type { Database } from './database.ts'

const T = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000
const line = (n: number): AuditEntry => ({
  ...{ action: 'login', outcome: 'success', actor: 'claire', address: '192.0.2.1', object: `session ${n}` },
  detail: { n },
})

describe.each(DIALECTS)('the chain of the log on %s', dialect => {
  let database: Database
  let drop: () => Promise<void>
  let anchor: AnchorStore
  let chain: AuditChain
  beforeEach(async () => {
    ;({ database, drop } = await openTestDatabase(dialect))
    anchor = createMemoryAnchor()
    chain = chainOf()
  })
  afterEach(() => drop())
  const chainOf = () =>
    createAuditChain({ database, anchor, now: () => T, onGrown: () => undefined, onError: () => undefined })
  const write = async (count: number, atMs = T): Promise<void> => {
    await auditAll(
      database.db,
      Array.from({ length: count }, (_, index) => line(index + 1)),
      atMs,
    )
    await chain.seal()
  }
  const verify = () => verifyAudit(database.db, { anchor, nowMs: T })
  const faults = async () => (await verify()).faults.map(({ kind, from, to }) => [kind, from, to])

  it('is whole after 1,200 entries, and says its first and last place and its seal', async () => {
    await write(1_200)
    expect(await verify()).toMatchObject({ ok: true, checked: 1_200, from: 1, to: 1_200, older: 0, faults: [] })
    expect((await verify()).seal).toBe(anchor.read()?.seal)
  })

  it.each([
    ['actor', `'paul'`],
    ['at', `${T - 1}`],
    ['detail', `'{"n":9}'`],
    ['outcome', `'refused'`],
    ['address', `'192.0.2.9'`],
    ['object', `'session 9'`],
    ['action', `'logout'`],
    ['kind', `'event'`],
    ['site_id', '3'],
    ['mark', `'x.y'`],
    ['seal', `'x'`],
  ])('S60: finds an entry whose %s was edited', async (column, value) => {
    await write(5)
    await sql.raw(`update audit set ${column} = ${value} where position = 3`).execute(database.db)
    const found = await faults()
    expect(found[0]).toEqual(['altered', 3, 3])
    // A seal that was changed is also what the next one does not stand on.
    expect(found).toHaveLength(column === 'seal' || column === 'mark' ? (column === 'seal' ? 2 : 1) : 1)
  })

  it('S60: finds entries deleted in the middle and at the beginning, also when the others are moved up', async () => {
    await write(6)
    await database.db.deleteFrom('audit').where('position', 'in', [3, 4]).execute()
    expect(await faults()).toEqual([['missing', 3, 4]])
    await database.db.deleteFrom('audit').where('position', '=', 1).execute()
    expect(await faults()).toEqual([
      ['missing', 1, 1],
      ['missing', 3, 4],
    ])
    await sql`update audit set position = 3 where position = 5`.execute(database.db)
    expect(await faults()).toContainEqual(['altered', 3, 3])
  })

  it('S60: finds an end that was cut, by the anchor outside of the database, and still once more was written', async () => {
    await write(6)
    await database.db.deleteFrom('audit').where('position', '>', 4).execute()
    expect(await faults()).toEqual([['truncated', 5, 6]])
    chain = chainOf()
    await write(2)
    expect(await faults()).toEqual([['missing', 5, 6]])
    expect(await verify()).toMatchObject({ to: 8 })
  })

  it('S60: finds that everything was deleted, and that the anchor is missing', async () => {
    await write(3)
    await database.db.deleteFrom('audit').execute()
    expect(await faults()).toEqual([['truncated', 1, 3]])
    await write(1)
    anchor = createMemoryAnchor()
    expect(await faults()).toEqual([
      ['missing', 1, 3],
      ['anchor', 4, 4],
    ])
  })

  it('S60: gives no place to a line that was put into the database without the key, and names it', async () => {
    await write(2)
    await database.db
      .insertInto('audit')
      .values({ at: T, actor: 'paul', address: '', action: 'login', object: '', outcome: 'success', detail: '{}' })
      .execute()
    const copied = await database.db.selectFrom('audit').selectAll().where('position', '=', 1).executeTakeFirstOrThrow()
    const { id: _, ...copy } = copied
    await database.db
      .insertInto('audit')
      .values({ ...copy, actor: 'paul', position: null, seal: '' })
      .execute()
    await write(1)
    expect((await faults()).map(([kind]) => kind)).toEqual(['unsealed', 'unsealed'])
    expect(await verify()).toMatchObject({ to: 3 })
  })

  it('another key verifies nothing: who has the database alone can make no chain that holds', async () => {
    await write(3)
    attachAuditKey(database.db, new Uint8Array(32).fill(7))
    expect(await verify()).toMatchObject({ ok: false, faultCount: 3 })
  })

  it('a seal that was kept elsewhere is compared', async () => {
    await write(3)
    const { seal } = await verify()
    await write(2)
    const against = (position: number, text: string | null) =>
      verifyAudit(database.db, { anchor, nowMs: T, expected: { position, seal: text ?? '' } })
    expect(await against(3, seal)).toMatchObject({ ok: true })
    expect(await against(3, 'x')).toMatchObject({ ok: false, faults: [{ kind: 'altered', from: 3 }] })
    expect(await against(9, seal)).toMatchObject({ ok: false, faults: [{ kind: 'truncated' }] })
  })

  it('40 writers at once, some that roll back, make one chain', async () => {
    const writers = Array.from({ length: 40 }, (_, n) =>
      database.db
        .transaction()
        .execute(async trx => {
          await audit(trx, line(n), T)
          if (n % 5 === 0) throw new Error('rolled back')
        })
        .catch(() => undefined),
    )
    const sealing = [chain.seal(), chainOf().seal(), chain.seal()]
    await Promise.all([...writers, ...sealing])
    await chain.seal()
    expect(await verify()).toMatchObject({ ok: true, checked: 32, to: 32 })
  })

  it('drops the oldest by a sealed checkpoint: the rest still verifies, a moved checkpoint does not', async () => {
    await write(10, T - 40 * DAY_MS)
    await write(5)
    expect(await purgeAudit(database, T - 30 * DAY_MS, T)).toBe(10)
    await chain.seal()
    expect(await verify()).toMatchObject({ ok: true, from: 11, to: 16, checked: 6 })
    expect(await purgeAudit(database, T - 30 * DAY_MS, T)).toBe(0)
    await database.db.updateTable('audit_checkpoint').set({ position: 12 }).execute()
    await database.db.deleteFrom('audit').where('position', 'in', [11, 12]).execute()
    expect((await faults()).map(([kind]) => kind)).toContain('checkpoint')
  })

  it('says in the line of what was dropped that something was wrong with it', async () => {
    await write(10, T - 40 * DAY_MS)
    await sql`update audit set actor = 'x' where position = 4`.execute(database.db)
    await write(1)
    await purgeAudit(database, T - 30 * DAY_MS, T)
    const last = await database.db.selectFrom('audit').selectAll().where('action', '=', 'log-purge').executeTakeFirst()
    expect([last?.outcome, JSON.parse(last?.detail ?? '')]).toEqual(['failure', { rows: 10, through: 10, faults: 1 }])
  })

  it('takes once what older versions wrote, and nothing of the kind where there is a chain', async () => {
    const old = {
      at: T,
      actor: 'paul',
      address: '',
      action: 'login',
      object: 'site 4',
      outcome: 'success',
      detail: '{}',
    }
    await database.db.insertInto('audit').values([old, old, old]).execute()
    await audit(database.db, line(1), T)
    // Before it has read the first of them.
    chain.start()
    await chain.stop()
    const places = await database.db.selectFrom('audit').select('position').orderBy('id').execute()
    expect(places, 'given up half-way, nothing is sealed that would keep the rest out').toEqual(
      Array.from({ length: 4 }, () => ({ position: null })),
    )
    chain = chainOf()
    chain.start()
    await chain.seal()
    await chain.stop()
    expect(await verify()).toMatchObject({ ok: true, older: 3, to: 5 })
    const row = await database.db.selectFrom('audit').selectAll().where('position', '=', 2).executeTakeFirst()
    expect(row).toMatchObject({ site_id: 4, object_kind: 'site', words: expect.stringContaining('paul') })
    await database.db.insertInto('audit').values(old).execute()
    chain = chainOf()
    chain.start()
    await chain.seal()
    await chain.stop()
    expect((await faults()).map(([kind]) => kind)).toEqual(['unsealed'])
  })

  it('writes words of any length and in any script', async () => {
    const name = `${'x'.repeat(5_000)} ${'ﷺ'.repeat(600)} ${'\u{1d400}'.repeat(600)} \ud83d`
    await audit(database.db, { ...line(1), detail: { name } }, T)
    await chain.seal()
    expect(await verify()).toMatchObject({ ok: true, checked: 1 })
  })

  it('writes control characters out, so that nothing given begins a line of its own', async () => {
    await audit(database.db, { ...line(1), actor: 'a\r\nb', address: '\u2028x', object: 'session\t1' }, T)
    const row = await database.db.selectFrom('audit').selectAll().executeTakeFirst()
    expect(row).toMatchObject({ actor: 'a\\r\\nb', address: '\\u2028x', object: 'session\\t1' })
  })
})
