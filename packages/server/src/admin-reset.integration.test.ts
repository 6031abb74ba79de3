import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteDatabase from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { openDataFolder } from './data-folder.ts'
import { verifyPassword } from './features/account/password-hash.ts'
import { prepareDatabase } from './first-start.ts'
import { openSqlite } from './store/database.ts'
import { migrationStatements } from './store/migrator.ts'

const COMMAND = fileURLToPath(new URL('./admin-reset.ts', import.meta.url))
const run = (NARVAL_DATA: string, login: string) => {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, NARVAL_DATA }
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, login], { env, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-reset-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('npm run admin:reset opens the way back in to an administrator alone, and makes nothing where no server has worked', async () => {
  const data = newFolder()
  const folder = openDataFolder(data)
  const first = await openSqlite(join(data, 'narval.db'))
  await prepareDatabase(first, { login: 'claire', password: 'Premier-2026!' }, 1, async () => 'lost')
  await first.db.updateTable('account').set({ enabled: 0, first_connection: 0 }).execute()
  await first.db
    .insertInto('login_failure')
    .values({ key: 'claire', failures: 9, last_at: 1, blocked_until: 2 })
    .execute()
  await first.close()
  expect(run(data, 'claire')).toMatchObject({ status: 1, text: expect.stringContaining('Arrêtez-le d’abord') })
  folder.release()
  expect(run(data, 'paul')).toMatchObject({
    status: 1,
    text: 'Aucun administrateur ne s’appelle «\u202fpaul\u202f».\n',
  })

  const { status, text } = run(data, 'claire')
  expect([status, text]).toEqual([0, expect.stringMatching(/^Mot de passe provisoire de claire .*\u202f: \S+\n$/)])
  const { db, close } = await openSqlite(join(data, 'narval.db'))
  const account = await db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  expect(account).toMatchObject({ enabled: 1, first_connection: 1 })
  expect(await verifyPassword(text.trim().split(' ').at(-1) ?? '', account.password_hash)).toMatchObject({ ok: true })
  expect(await db.selectFrom('login_failure').selectAll().execute()).toEqual([])
  const told = await db.selectFrom('audit').selectAll().where('action', '=', 'password-reset').orderBy('id').execute()
  expect(told).toMatchObject([{ outcome: 'success', object: `account ${account.id}` }])
  await close()

  const elsewhere = newFolder()
  expect(run(elsewhere, 'claire')).toMatchObject({
    status: 1,
    text: expect.stringContaining('Il n’y a pas de données'),
  })
  expect(readdirSync(elsewhere)).toEqual([])
})

it('npm run admin:reset copies an older database before it brings it up to date, as a start does', () => {
  const data = newFolder()
  const old = new SqliteDatabase(join(data, 'narval.db'))
  old.exec('create table migration (name text primary key, applied_at text not null) strict')
  for (const statement of migrationStatements('sqlite', ['0001-initial'])) old.exec(statement)
  old.close()
  expect(run(data, 'claire').text).toContain('Aucun administrateur')
  expect(readdirSync(join(data, 'before-upgrade'))).toEqual([expect.stringMatching(/^narval-/)])
})
