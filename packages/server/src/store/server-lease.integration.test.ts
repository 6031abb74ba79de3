import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { POSTGRES_URL } from '../testing/test-app.ts'
import { DatabaseInUse, type ServerLease, takeServerLease } from './server-lease.ts'

const QUICK = { patienceMs: 300, everyMs: 50 }

describe.skipIf(POSTGRES_URL === null)('one server a PostgreSQL database', () => {
  let admin: pg.Client
  let schema = ''
  let url = ''
  const leases: ServerLease[] = []
  const take = async (over: Parameters<typeof takeServerLease>[1] = {}) => {
    const lease = await takeServerLease(url, { ...QUICK, ...over })
    leases.push(lease)
    return lease
  }
  /** Ends the connection that holds it, as a failover or a cut does. */
  const cut = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 4200
       and objid = (hashtext($1)::bigint & 4294967295)::oid`,
      [schema],
    )

  beforeEach(async () => {
    schema = `lease_${randomBytes(4).toString('hex')}`
    admin = new pg.Client({ connectionString: POSTGRES_URL ?? '' })
    await admin.connect()
    await admin.query(`create schema ${schema}`)
    const own = new URL(POSTGRES_URL ?? '')
    own.searchParams.set('options', `-c search_path=${schema}`)
    url = own.href
  })
  afterEach(async () => {
    await Promise.all(leases.splice(0).map(lease => lease.release()))
    await admin.query(`drop schema ${schema} cascade`)
    await admin.end()
  })

  it('refuses the second in French, with who is there, and takes it once the first has gone', async () => {
    const first = await take()
    const refused = await take().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DatabaseInUse)
    expect(String(refused)).toMatch(
      /Un autre serveur Narval utilise déjà cette base de données \(connecté.* depuis le .*2\d{3}.*\)/,
    )
    expect(String(refused)).toContain('arrêtez l’autre')
    await first.release()
    expect(first.isHeld()).toBe(false)
    expect((await take()).isHeld()).toBe(true)
  })

  it('waits a moment for one that was killed', async () => {
    const first = await take()
    const second = take({ patienceMs: 10_000 })
    await new Promise(resolve => setTimeout(resolve, 300))
    await first.release()
    expect((await second).isHeld()).toBe(true)
  })

  it('is not held from when its connection is lost until it is taken again', async () => {
    const changes: boolean[] = []
    const lease = await take({ onChange: isHeld => changes.push(isHeld) })
    await cut()
    await expect.poll(() => changes, { timeout: 10_000 }).toEqual([false, true])
    expect(lease.isHeld()).toBe(true)
    expect(await take().catch((error: unknown) => error)).toBeInstanceOf(DatabaseInUse)
  })

  it('stays lost while another server has it, and comes back when that one ends', async () => {
    const lease = await take({ everyMs: 1_000 })
    await cut()
    await expect.poll(() => lease.isHeld(), { interval: 5 }).toBe(false)
    const other = await take()
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect([lease.isHeld(), other.isHeld()]).toEqual([false, true])
    await other.release()
    await expect.poll(() => lease.isHeld(), { timeout: 10_000 }).toBe(true)
  })

  it('is of one schema: another one has its own', async () => {
    await take()
    const elsewhere = new URL(POSTGRES_URL ?? '')
    elsewhere.searchParams.set('options', '-c search_path=public')
    const other = await takeServerLease(elsewhere.href, QUICK)
    expect(other.isHeld()).toBe(true)
    await other.release()
  })
})
