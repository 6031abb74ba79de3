import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostRoutes, logRoutes, siteRoutes } from '@narval/contracts'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { migrationStatements } from '../packages/server/src/store/migrator.ts'
import { type ApiClient, signIn } from './kit/client.ts'
import { createTcpScanners, readSamples } from './kit/fleet.ts'
import { endProgram, spawnCommand } from './kit/program.ts'
import {
  freePort,
  type RunningServer,
  removeFolder,
  spawnServer,
  startServer,
  stopServer,
  temporaryFolder,
} from './kit/server.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

/** The drill: a real server, writes that do not stop, the commands as an administrator calls them (R30, R31). */
const BACKUP = fileURLToPath(new URL('../packages/server/src/backup/backup-command.ts', import.meta.url))
const RESTORE = BACKUP.replace('backup-command', 'restore-command')
const QUIET = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'fatal' }
/** Acknowledged of each kind before the backup begins. */
const BEFORE = 15

const folders: string[] = []
let server: RunningServer | null = null
const newFolder = (): string => {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}
afterAll(async () => {
  if (server !== null) await endProgram(server)
  folders.forEach(removeFolder)
})

const run = async (file: string, data: string, ...args: string[]): Promise<{ code: number | null; text: string }> => {
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    NARVAL_DATA: data,
  }
  const program = spawnCommand(process.execPath, [file, ...args], env)
  return { code: await program.exited, text: program.output() }
}
const wholeIn = (folder: string): string => {
  const [name, ...others] = readdirSync(folder)
  if (name === undefined || others.length > 0) throw new Error(`${folder} holds ${name ?? 'nothing'} ${others}`)
  return join(folder, name)
}

interface Load {
  /** What the server has acknowledged so far. */
  readonly sites: string[]
  readonly values: number[]
  /** Ends once both have the number asked. */
  reached(count: number): Promise<void>
  stop(): Promise<void>
}

/** Makes sites and posts results, one after the other, each noted once it is acknowledged. */
const writeOn = (api: ApiClient, probe: WireProbe, scanner: number, startMs: number): Load => {
  const sites: string[] = []
  const values: number[] = []
  let isOver = false
  const makeSites = async (): Promise<void> => {
    for (let n = 1; !isOver; n++) {
      await api.call(siteRoutes.create, { body: { name: `s-${n}`, code: `s-${n}` } })
      sites.push(`s-${n}`)
    }
  }
  const postResults = async (): Promise<void> => {
    for (let n = 1; !isOver; n++) {
      const result = { scanner, at: startMs + n * 100, durationMs: 1, failure: null, values: { connect_time: n } }
      expect(await probe.post(n, [result])).toBe(204)
      values.push(n)
    }
  }
  const all = Promise.all([makeSites(), postResults()])
  return {
    sites,
    values,
    async reached(count) {
      while (sites.length < count || values.length < count)
        await Promise.race([all, new Promise(resolve => setTimeout(resolve, 10))])
    },
    async stop() {
      isOver = true
      await all
    },
  }
}

const siteNames = async (api: ApiClient): Promise<string[]> =>
  (await api.call(siteRoutes.list)).flatMap(site => (/^s-\d+$/.test(site.name) ? [site.name] : []))

it('R30, R31: backed up while it writes, restored elsewhere: all that was acknowledged before is there, byte for byte what was copied', async () => {
  const data = newFolder()
  server = await startServer(data, await freePort(), QUIET)
  const api = await signIn(server.url)
  const probe = await approvedWireProbe(server.url, api)
  const [scanner] = await createTcpScanners(api, { probeId: probe.id, name: 'charge' })
  if (scanner === undefined) throw new Error('no scanner')
  const startMs = Date.now() - 600_000
  const load = writeOn(api, probe, scanner.scanner.id, startMs)
  await load.reached(BEFORE)
  const known = { sites: [...load.sites], values: [...load.values] }

  const backups = newFolder()
  const made = await run(BACKUP, data, backups, '--keep', '1')
  expect(made).toEqual({ code: 0, text: expect.stringContaining('Sauvegarde faite et vérifiée') })
  const during = load.sites.length - known.sites.length
  await load.reached(load.values.length + 2)
  await load.stop()
  expect(during).toBeGreaterThan(0)
  const last = JSON.parse(readFileSync(join(data, 'backup-last.json'), 'utf8'))
  expect(last).toMatchObject({ ok: true, path: wholeIn(backups), message: '', bytes: expect.any(Number) })

  // A server that runs is not written over.
  const busy = await run(RESTORE, data, wholeIn(backups), '--replace')
  expect(busy).toEqual({ code: 1, text: expect.stringContaining('utilise déjà le dossier') })
  await stopServer(server)

  const elsewhere = join(newFolder(), 'narval')
  const restored = await run(RESTORE, elsewhere, wholeIn(backups))
  expect(restored).toEqual({ code: 0, text: expect.stringContaining('Démarrez maintenant le serveur') })
  const { manifest } = JSON.parse(readFileSync(join(wholeIn(backups), 'manifest.json'), 'utf8'))
  for (const { path, sha256 } of manifest.files) {
    const file = join(elsewhere, path.replace(/^(folder|database)\//, ''))
    expect([path, createHash('sha256').update(readFileSync(file)).digest('hex')]).toEqual([path, sha256])
    expect([path, statSync(file).mode & 0o777]).toEqual([path, 0o600])
  }

  server = await startServer(elsewhere, await freePort(), QUIET)
  const again = await signIn(server.url)
  const sites = await siteNames(again)
  expect(sites.filter(name => known.sites.includes(name)).length).toBe(known.sites.length)
  expect(sites.length).toBeLessThanOrEqual(load.sites.length)
  const samples = await readSamples(again, scanner.connectTime.id, startMs, Date.now())
  const values = samples.map(sample => sample.value)
  expect(values).toEqual(Array.from({ length: values.length }, (_, index) => index + 1))
  expect(values.length).toBeGreaterThanOrEqual(known.values.length)
  const { data: told } = await again.call(logRoutes.datatable.put, { body: { filters: { action: 'server-restore' } } })
  expect(told).toMatchObject([{ actionText: 'Sauvegarde restaurée', outcome: 'success' }])
  expect(JSON.stringify(told)).toContain('Sauvegarde du ')
  expect(existsSync(join(elsewhere, 'restored.json'))).toBe(false)
  // The same keys: the probe is still who it was, and goes on where the copy ends.
  expect((await again.call(hostRoutes.list)).some(host => host.id === scanner.hostId)).toBe(true)
  await stopServer(server)

  // Only into an empty folder, unless asked; then what was there is kept aside.
  const full = await run(RESTORE, elsewhere, wholeIn(backups))
  expect(full).toEqual({ code: 1, text: expect.stringContaining('n’est pas vide') })
  const replaced = await run(RESTORE, elsewhere, wholeIn(backups), '--replace')
  expect(replaced).toEqual({ code: 0, text: expect.stringContaining('est gardé dans') })
  const aside = readdirSync(elsewhere).find(name => name.startsWith('.before-restore-'))
  expect(existsSync(join(elsewhere, aside ?? '', 'narval.db'))).toBe(true)

  rmSync(join(wholeIn(backups), 'samples/journal.db'))
  const cut = await run(BACKUP, data, '--verify', wholeIn(backups))
  expect(cut).toEqual({ code: 1, text: expect.stringContaining('samples/journal.db') })
})

it('R29: an older database is copied before it is brought up to date; a newer one, and one half restored, are refused in French', async () => {
  const data = newFolder()
  const old = new SqliteDatabase(join(data, 'narval.db'))
  old.exec('create table migration (name text primary key, applied_at text not null) strict')
  for (const statement of migrationStatements('sqlite', ['0001-initial'])) old.exec(statement)
  old.close()
  const port = await freePort()
  server = await startServer(data, port, QUIET)
  await stopServer(server)
  const copy = join(wholeIn(join(data, 'before-upgrade')), 'database/narval.db')
  const migrationsIn = (path: string): unknown => {
    const db = new SqliteDatabase(path, { readonly: true })
    const names = db.prepare('select name from migration order by name').pluck().all()
    db.close()
    return names
  }
  expect(migrationsIn(copy)).toEqual(['0001-initial'])

  const newer = new SqliteDatabase(join(data, 'narval.db'))
  newer.exec("insert into migration values ('9999-demain', 'x')")
  newer.close()
  const refused = spawnServer(data, port, QUIET)
  expect(await refused.exited).toBe(3)
  expect(refused.output()).toContain("vient d'une version plus récente de Narval (migration 9999-demain)")

  writeFileSync(join(data, '.restore-swap'), '{"before":".x","old":[],"staged":[]}')
  const half = spawnServer(data, port, QUIET)
  expect(await half.exited).toBe(3)
  expect(half.output()).toContain('Une restauration n’est pas allée au bout')

  const wrong = await run(BACKUP, data)
  expect(wrong).toEqual({ code: 2, text: expect.stringContaining('npm run backup -- <dossier>') })
})
