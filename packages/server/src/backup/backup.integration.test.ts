import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openDataFolder } from '../data-folder.ts'
import { openEmbeddedSampleStore } from '../samples/embedded.ts'
import { batchNumber, expectedSeries } from '../samples/kill-fleet.ts'
import { allRows } from '../testing/fill-rows.ts'
import { DIALECTS } from '../testing/test-database.ts'
import { backupBeforeUpgrade } from './before-upgrade.ts'
import { callServer, openBackupControl } from './control.ts'
import { filesWithin } from './files.ts'
import { MANIFEST } from './manifest.ts'
import { keepNewest } from './retention.ts'
import {
  backUp,
  bare,
  newFolder,
  newPlace,
  newSchema,
  now,
  open,
  placeAt,
  placeOf,
  restore,
  rowsAt,
} from './testing-places.ts'
import { verifyBackup } from './verify.ts'

describe('R30: the measures', () => {
  it('are a whole set while batches come, are sealed, compacted and let go: nothing acknowledged before is missing, what is not judged yet can be', async () => {
    const config = placeOf(join(newFolder(), 'data'))
    openDataFolder(config.dataFolder).release()
    const database = await open(config)
    const settings = {
      sealAfterMs: 0,
      maintainEveryMs: 0,
      retention: { rawDays: 3000, fiveMinutesDays: 3000, hourDays: 3000 },
    }
    let at = 0
    const options = {
      ...settings,
      folder: join(config.dataFolder, 'samples'),
      now: () => batchNumber(at + 1).arrivedMs,
    }
    const samples = await openEmbeddedSampleStore(options)
    const control = await openBackupControl(config.dataFolder, samples, error => expect(error).toBe(null))
    await sql`insert into position (name, position) values ('applied', 0)`.execute(database.db)
    let isOver = false
    /** As evaluation does: what is judged is committed, then the journal may let it go. */
    const writing = (async () => {
      while (!isOver) {
        const { position } = await samples.append(batchNumber(++at))
        await sql`update position set position = ${position} where name = 'applied'`.execute(database.db)
        await samples.applied(position)
        if (at % 7 === 0) await Promise.race([samples.maintain(), new Promise(resolve => setTimeout(resolve, 20))])
      }
    })()
    /** Sealing and letting go, asked for between what is copied: they wait, or it would show. */
    const onStep = async (): Promise<void> => {
      const from = at
      while (at < from + 3) await new Promise(resolve => setTimeout(resolve, 5))
      await Promise.race([samples.maintain(), new Promise(resolve => setTimeout(resolve, 200))])
    }
    const backups = newFolder()
    const made: { readonly path: string; readonly acknowledged: number }[] = []
    for (let round = 1; round <= 3; round++) {
      while (at < round * 90) await new Promise(resolve => setTimeout(resolve, 5))
      const acknowledged = at - 1
      const { path, manifest } = await backUp(config, backups, { onStep })
      expect(manifest).toMatchObject({ online: true, samples: { lastPosition: expect.any(Number) } })
      made.push({ path, acknowledged })
    }
    isOver = true
    await writing
    await control.close()
    await samples.close()
    await database.close()
    for (const { path, acknowledged } of made) {
      const target = placeOf(join(newFolder(), 'data'))
      const { manifest } = await restore(target, path)
      expect(manifest.samples?.sealedThrough).toBeGreaterThan(0)
      const store = await openEmbeddedSampleStore({ ...settings, folder: join(target.dataFolder, 'samples') })
      const left = await store.replay(manifest.database.applied, 10_000)
      const last = manifest.samples?.lastPosition ?? 0
      expect(left.map(batch => batch.position)).toEqual(
        Array.from({ length: last - manifest.database.applied }, (_, index) => manifest.database.applied + 1 + index),
      )
      expect(last).toBeGreaterThanOrEqual(acknowledged)
      for (const [series, expected] of expectedSeries(last)) {
        const toMs = batchNumber(last + 1).arrivedMs
        const { series: read } = await store.range({
          ...{ series: [series], fromMs: 0, toMs, points: 20_000, aggregate: 'last', resolution: 'raw' },
        })
        const found = Array.from(read[0]?.atMs ?? [], (atMs, index) => [atMs, read[0]?.value[index]])
        expect([series, found]).toEqual([series, expected])
      }
      await store.close()
    }
  })

  it('a server that stops meanwhile, or refuses, leaves nothing behind', async () => {
    const config = await newPlace('sqlite')
    const backups = newFolder()
    const samples = await openEmbeddedSampleStore({ folder: join(config.dataFolder, 'samples') })
    const control = await openBackupControl(config.dataFolder, samples, error => expect(error).toBe(null))
    await samples.hold()
    await expect(backUp(config, backups)).rejects.toThrow('Une sauvegarde est déjà en cours.')
    await samples.letGo()
    const onStep = (text: string): void => {
      if (text.startsWith('Base')) void control.close()
    }
    await expect(backUp(config, backups, { onStep })).rejects.toThrow('Le serveur s’est arrêté pendant la sauvegarde')
    expect(readdirSync(backups)).toEqual([])
    // Whoever held it has gone: all goes on, and the next one may hold it.
    const again = await openBackupControl(config.dataFolder, samples, error => expect(error).toBe(null))
    const held = await callServer(config.dataFolder)
    await held?.hold()
    expect((await held?.freeze())?.lastPosition).toBe(3)
    held?.end()
    await samples.append(batchNumber(4))
    await samples.maintain()
    expect((await backUp(config, backups)).manifest.samples?.lastPosition).toBe(4)
    await again.close()
    await samples.close()
  })
})

describe.each(DIALECTS)('R30, R31: a backup, on %s', dialect => {
  it('gives back every row of every table, the keys and the measures; numbers go on from where they were', async () => {
    const config = await newPlace(dialect)
    // Groups up to 40 were made and deleted.
    const { db, end } = await bare(config)
    if (dialect === 'sqlite') await sql`update sqlite_sequence set seq = 40 where name = 'user_group'`.execute(db)
    else await sql`select setval(pg_get_serial_sequence('user_group', 'id'), 40)`.execute(db)
    await end()
    const { path, manifest } = await backUp(config, newFolder())
    expect(manifest.files.map(file => file.path).filter(name => name.startsWith('folder/'))).toEqual([
      'folder/journal-fin.json',
      'folder/probe/identity.json',
      'folder/secrets/master.key',
      'folder/secrets/secret-keys.txt',
      'folder/secrets/server-key.pem',
    ])
    for (const name of ['', ...(await filesWithin(path))])
      expect([name, statSync(join(path, name)).mode & 0o77]).toEqual([name, 0])
    const target = placeOf(join(newFolder(), 'ailleurs'), dialect === 'postgres' ? await newSchema() : null)
    await restore(target, path)
    const [from, to] = [await open(config), await open(target)]
    expect(await allRows(to.db, dialect)).toEqual(await allRows(from.db, dialect))
    const made = await sql<{
      id: number
    }>`insert into user_group (name, name_folded, description, created_at, updated_at)
      values ('g', 'g', '', 1, 1) returning id`.execute(to.db)
    expect(made.rows).toEqual([{ id: 41 }])
    await from.close()
    await to.close()
    for (const name of ['secrets/master.key', 'secrets/secret-keys.txt', 'probe/identity.json', 'journal-fin.json'])
      expect(readFileSync(join(target.dataFolder, name))).toEqual(readFileSync(join(config.dataFolder, name)))
    expect(readdirSync(join(target.dataFolder, 'probe'))).toEqual(['identity.json'])
  })

  it('is copied first when a new version changes the schema, and brings the old one back', async () => {
    const old = await placeAt(dialect, '0027-display-tokens')
    const before = await rowsAt(old, dialect)
    const lock = openDataFolder(old.dataFolder)
    const copy = (await backupBeforeUpgrade(old, now)) ?? ''
    expect(copy).toContain('before-upgrade')
    const upgraded = await open(old)
    await sql`delete from account`.execute(upgraded.db)
    await upgraded.close()
    expect(await backupBeforeUpgrade(old, now)).toBe(null)
    await expect(restore(old, copy, { replace: true })).rejects.toThrow('Arrêtez-le d’abord')
    lock.release()
    await expect(restore(old, copy)).rejects.toThrow('--replace')
    expect(await restore(old, copy, { replace: true })).toMatchObject({ isOlder: true })
    expect(await rowsAt(old, dialect)).toEqual(before)
  })
})

describe('backups in a folder', () => {
  it('the newest of this installation stay; others’, and what is not whole, are left alone', async () => {
    const [config, other] = [await newPlace('sqlite'), await newPlace('sqlite')]
    const backups = newFolder()
    const foreign = await backUp(other, backups)
    const made: string[] = []
    for (let n = 0; n < 4; n++) made.push((await backUp(config, backups)).path)
    writeFileSync(join(made[1] ?? '', MANIFEST), '{}')
    const { installation } = await verifyBackup(made[3] ?? '')
    expect(keepNewest(backups, installation, 2)).toEqual([basename(made[0] ?? '')])
    const left = readdirSync(backups)
      .map(name => join(backups, name))
      .sort()
    expect(left).toEqual([foreign.path, made[1], made[2], made[3]].toSorted())
  })

  it('a killed backup leaves a name that is none, gone with the next one; the data folder is no place for one', async () => {
    const config = await newPlace('sqlite')
    const backups = newFolder()
    const ended = spawnSync(process.execPath, ['-e', '']).pid
    const left = `.narval-20260101T000000Z.${hostname()}.${ended}.partial`
    const alive = left.replace(`.${ended}.`, `.${process.pid}.`)
    mkdirSync(join(backups, left))
    mkdirSync(join(backups, alive))
    const { path } = await backUp(config, backups)
    expect(readdirSync(backups).sort()).toEqual([alive, basename(path)])
    await expect(backUp(config, join(config.dataFolder, 'sauvegardes'))).rejects.toThrow('dans le dossier des données')
  })
})
