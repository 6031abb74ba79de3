import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../http/refusal.ts'
import { DIALECTS, openTestDatabase } from '../testing/test-app.ts'
import type { Database } from './database.ts'
import { transaction } from './transaction.ts'

const failed = (code: string, more: object = {}) => Object.assign(new Error('refused'), { code, ...more })
const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw error
  return error
}

describe.each(DIALECTS)('a transaction of changes (%s)', dialect => {
  let database: Database
  let drop: () => Promise<void>
  beforeEach(async () => {
    ;({ database, drop } = await openTestDatabase(dialect))
    const types = ['a', 'b'].map(name => ({ name, name_folded: name, icon: '' }))
    await database.db.insertInto('host_type').values(types).execute()
  })
  afterEach(() => drop())

  it('gives what the work gives, and undoes all of it when it fails', async () => {
    expect(await transaction(database.db, async () => 7)).toBe(7)
    const work = transaction(database.db, async trx => {
      await trx.deleteFrom('host_type').execute()
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await database.db.selectFrom('host_type').select('id').execute()).toHaveLength(2)
  })

  it('is done again when another stood in its way, and says so after 3 more times with a time to wait', async () => {
    for (const code of ['40P01', '40001']) {
      let times = 0
      const done = await transaction(database.db, async () => {
        times += 1
        if (times < 4) throw failed(code)
        return times
      })
      expect(done).toBe(4)
      times = 0
      const refusal = await refusalOf(
        transaction(database.db, async () => {
          times += 1
          throw failed(code)
        }),
      )
      expect([times, refusal.kind]).toEqual([4, 'unavailable'])
      expect(refusal.detail.retryAfterMs).toBeGreaterThan(0)
    }
  })

  it('keeps nothing of a try that is done again', async () => {
    let times = 0
    await transaction(database.db, async trx => {
      times += 1
      await trx.insertInto('host_type').values({ name: 'c', name_folded: 'c', icon: '' }).execute()
      if (times === 1) throw failed('40P01')
    })
    expect(await database.db.selectFrom('host_type').select('id').execute()).toHaveLength(3)
  })

  it('says what is taken, and what was deleted meanwhile', async () => {
    const taken = await refusalOf(
      transaction(database.db, trx =>
        trx.insertInto('host_type').values({ name: 'A', name_folded: 'a', icon: '' }).execute(),
      ),
    )
    expect(taken.kind).toBe('conflict')
    expect(taken.detail.fields).toEqual({ name: 'Un autre type d’équipement a déjà ce nom.' })
    const links = { host_id: 404, parent_id: 405 }
    const gone = await refusalOf(transaction(database.db, trx => trx.insertInto('host_parent').values(links).execute()))
    expect(gone.kind).toBe('conflict')
    expect(gone.errors[0]).toMatch(/supprimé entre-temps/)
  })

  it('leaves faults of ours as they are', async () => {
    await expect(transaction(database.db, () => Promise.reject(failed('XX000')))).rejects.not.toBeInstanceOf(Refusal)
  })

  it.runIf(dialect === 'postgres')('comes out of a real deadlock: both changes are made', async () => {
    const [first = 0, second = 0] = (
      await database.db.selectFrom('host_type').select('id').orderBy('id').execute()
    ).map(row => row.id)
    const met = Promise.withResolvers<void>()
    let waiting = 0
    let tries = 0
    const change = (ids: readonly [number, number], icon: string) =>
      transaction(database.db, async trx => {
        tries += 1
        for (const [index, id] of ids.entries()) {
          await trx.updateTable('host_type').set({ icon }).where('id', '=', id).execute()
          if (index === 0 && ++waiting === 2) met.resolve()
          if (index === 0) await met.promise
        }
      })
    await Promise.all([change([first, second], 'x'), change([second, first], 'y')])
    // PostgreSQL may end either of them, or both in turn: what counts is that they met, and that each was made whole.
    expect(tries).toBeGreaterThan(2)
    const icons = await database.db.selectFrom('host_type').select('icon').where('id', 'in', [first, second]).execute()
    expect(['x,x', 'y,y']).toContain(icons.map(row => row.icon).join())
  })
})
