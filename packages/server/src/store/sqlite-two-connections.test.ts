import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openSqlite } from './database.ts'

describe('SQLite in a file', () => {
  let folder = ''
  let database: Database
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'narval-two-'))
    database = await openSqlite(join(folder, 'narval.db'))
    await sql`create table thing (id integer primary key, name text not null unique)`.execute(database.db)
  })
  afterEach(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const names = async (db = database.db) =>
    (await sql<{ name: string }>`select name from thing order by id`.execute(db)).rows.map(row => row.name)
  const add = (name: string, db = database.db) => sql`insert into thing (name) values (${name})`.execute(db)

  it('a read does not wait for a transaction, sees nothing of it before its commit, and all of it after', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
    const change = database.db.transaction().execute(async trx => {
      await add('a', trx)
      expect(await names(trx)).toEqual(['a'])
      hasWritten()
      await held
    })
    await written
    expect(await names()).toEqual([])
    letGo()
    await change
    expect(await names()).toEqual(['a'])
  })

  it('what writes stands in line: another transaction, one statement, one that writes though it begins as a read', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const order: string[] = []
    const first = database.db.transaction().execute(async trx => {
      await add('a', trx)
      await held
      order.push('a')
    })
    const second = database.db.transaction().execute(async trx => {
      order.push('b')
      await add('b', trx)
    })
    const third = add('c').then(() => order.push('c'))
    const fourth =
      sql`with given(name) as (values ('d')) insert into thing (name) select name from given returning id`.execute(
        database.db,
      )
    letGo()
    await Promise.all([first, second, third, fourth])
    expect(order).toEqual(['a', 'b', 'c'])
    expect(await names()).toEqual(['a', 'b', 'c', 'd'])
    expect((await fourth).rows).toEqual([{ id: 4 }])
  })

  it('a transaction that fails leaves nothing, and lets the next one in', async () => {
    const failing = database.db.transaction().execute(async trx => {
      await add('a', trx)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await expect(add('b').then(() => add('b'))).rejects.toThrow(/UNIQUE/)
    await database.db.transaction().execute(trx => add('c', trx))
    expect(await names()).toEqual(['b', 'c'])
  })

  it('a commit that the database refuses is rolled back, and lets the next one in', async () => {
    await sql`create table part (thing_id integer references thing(id) deferrable initially deferred)`.execute(
      database.db,
    )
    const orphan = database.db.transaction().execute(trx => sql`insert into part (thing_id) values (77)`.execute(trx))
    await expect(orphan).rejects.toThrow(/FOREIGN KEY/)
    await add('a')
    expect(await names()).toEqual(['a'])
    expect((await sql`select * from part`.execute(database.db)).rows).toEqual([])
  })

  it('each commit counts as a write: what is kept of the database is kept no longer', async () => {
    const before = database.writes()
    await names()
    expect(database.writes()).toBe(before)
    await database.db.transaction().execute(trx => names(trx))
    expect(database.writes()).toBe(before + 1)
    await add('a')
    expect(database.writes()).toBe(before + 2)
  })
})
