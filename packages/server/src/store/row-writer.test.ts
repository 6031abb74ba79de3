import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIALECTS, openTestDatabase } from '../testing/test-app.ts'
import type { Database } from './database.ts'
import { createRowWriter, ROWS_AT_ONCE } from './row-writer.ts'

interface PositionRow {
  readonly name: string
  readonly position: number
}
const rowsOf = (count: number, add = 0): PositionRow[] =>
  Array.from({ length: count }, (_, n) => ({ name: `n-${n}`, position: n + add }))

describe.each(DIALECTS)('many rows by few statements, on %s', dialect => {
  let database: Database
  let drop: () => Promise<void>
  beforeEach(async () => {
    ;({ database, drop } = await openTestDatabase(dialect))
  })
  afterEach(() => drop())

  const write = createRowWriter<PositionRow>((trx, rows) =>
    trx
      .insertInto('position')
      .values(rows)
      .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ position: eb.ref('excluded.position') }))),
  )
  const read = () => database.db.selectFrom('position').selectAll().orderBy('position').execute()

  it('writes each row, by at most 128 a statement, with a turn after each; and again with other values', async () => {
    const count = 2 * ROWS_AT_ONCE + 45
    const turns: number[] = []
    const turn = async () => {
      turns.push(database.writes())
    }
    const from = database.writes()
    await write(database.db, rowsOf(count), turn)
    expect(turns.map(writes => writes - from)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await read()).toEqual(rowsOf(count))
    await write(database.db, rowsOf(count, 7), turn)
    expect(await read()).toEqual(rowsOf(count, 7))
    await write(database.db, [], turn)
    expect(turns).toHaveLength(12)
  })

  it('refuses a statement whose parameters are not the values of its rows', async () => {
    const wrong = createRowWriter<PositionRow>((trx, rows) =>
      trx.insertInto('position').values(rows.map(({ name, position }) => ({ name, position: position + 1 }))),
    )
    await expect(wrong(database.db, rowsOf(3), async () => {})).rejects.toThrow('not the values of the rows')
    expect(await read()).toEqual([])
  })
})
