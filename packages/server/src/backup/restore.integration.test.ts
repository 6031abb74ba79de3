import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { secretKeyId } from '../secret-box.ts'
import { filesWithin } from './files.ts'
import { MANIFEST } from './manifest.ts'
import { isHalfRestored, recoverSwap, STAGED, swapStaged } from './swap.ts'
import { backUp, bare, contentOf, newFolder, newPlace, now, type Place, placeOf, restore } from './testing-places.ts'

describe('R31: what is damaged', () => {
  it('is told before anything is touched: each file missing, cut, longer, one byte changed, or a link', async () => {
    const config = await newPlace('sqlite')
    const { path, manifest } = await backUp(config, newFolder())
    const before = await contentOf(config.dataFolder)
    const empty = placeOf(join(newFolder(), 'data'))
    const damages: readonly (readonly [string, (file: string) => void])[] = [
      ['manque', file => rmSync(file)],
      ['octets au lieu de', file => truncateSync(file, statSync(file).size - 1)],
      ['octets au lieu de', file => appendFileSync(file, 'x')],
      ['SHA-256', flip],
      ['n’est pas un fichier ordinaire', replaceByLink],
    ]
    for (const file of manifest.files) {
      const place = join(path, file.path)
      const sound = readFileSync(place)
      for (const [words, damage] of damages) {
        damage(place)
        await expect(restore(config, path, { replace: true }), file.path).rejects.toThrow(words)
        rmSync(place, { force: true })
        rmSync(`${place}.x`, { force: true })
        writeFileSync(place, sound)
      }
      flip(place)
      await expect(restore(empty, path), file.path).rejects.toThrow(file.path)
      writeFileSync(place, sound)
    }
    expect(await contentOf(config.dataFolder)).toEqual(before)
    expect(existsSync(empty.dataFolder)).toBe(false)
  })

  it('so is a manifest that is missing, cut, changed, of a newer Narval, or that leads out of the backup', async () => {
    const config = await newPlace('sqlite')
    const { path } = await backUp(config, newFolder())
    const file = join(path, MANIFEST)
    const text = readFileSync(file, 'utf8')
    const before = await contentOf(config.dataFolder)
    /** As somebody would who makes the checksum fit. */
    const rewritten = (
      change: (manifest: { format: number; files: { path: string }[]; database: { migrations: string[] } }) => void,
    ) => {
      const { manifest } = JSON.parse(text)
      change(manifest)
      return JSON.stringify({ manifest, sha256: createHash('sha256').update(JSON.stringify(manifest)).digest('hex') })
    }
    const cases: readonly (readonly [string, string | null])[] = [
      ['n’est pas une sauvegarde entière', null],
      ['est abîmé ou a été modifié', text.slice(0, -10)],
      ['est abîmé ou a été modifié', text.replace(/"bytes": \d/, '"bytes": 9')],
      ['est abîmé ou a été modifié', text.replace('"online": false', '"online": true')],
      [
        'version plus récente de Narval (format 2',
        rewritten(manifest => {
          manifest.format = 2
        }),
      ],
      [
        'version plus récente de Narval (migration 9999-demain)',
        rewritten(manifest => manifest.database.migrations.push('9999-demain')),
      ],
      [
        'est abîmé ou a été modifié',
        rewritten(manifest => {
          if (manifest.files[0]) manifest.files[0].path = '../../etc/passwd'
        }),
      ],
    ]
    for (const [words, content] of cases) {
      if (content === null) rmSync(file)
      else writeFileSync(file, content)
      await expect(restore(config, path, { replace: true })).rejects.toThrow(words)
    }
    expect(await contentOf(config.dataFolder)).toEqual(before)
    const foreign = placeOf(config.dataFolder, 'postgres://nulle-part/x')
    writeFileSync(file, text)
    await expect(restore(foreign, path, { replace: true })).rejects.toThrow('retirez DATABASE_URL')
  })

  const isRoot = process.getuid?.() === 0
  it.skipIf(!isRoot)('a disk that fills up leaves no backup, and a target as it was', async () => {
    const config = await newPlace('sqlite', 40)
    const small = newFolder()
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', small]).status).toBe(0)
    onTestFinished(() => void spawnSync('umount', [small]))
    await expect(backUp(config, small)).rejects.toThrow('plus de place')
    expect(readdirSync(small)).toEqual([])
    const { path } = await backUp(config, newFolder())
    mkdirSync(join(small, 'data'))
    writeFileSync(join(small, 'data', 'narval.db'), 'avant')
    await expect(restore(placeOf(join(small, 'data')), path, { replace: true })).rejects.toThrow(
      'Il n’y a pas la place',
    )
    expect(Object.keys(await contentOf(join(small, 'data')))).toEqual(['narval.db'])
    expect(readFileSync(join(small, 'data', 'narval.db'), 'utf8')).toBe('avant')
  })
})

const replaceByLink = (file: string): void => {
  renameSync(file, `${file}.x`)
  symlinkSync(`${file}.x`, file)
}
const flip = (file: string): void => {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

describe('R31: the change of places', () => {
  const isThere = (folder: string): string[] =>
    readdirSync(folder)
      .filter(name => !name.startsWith('.'))
      .sort()

  it('killed after any of its steps, all is put back', async () => {
    for (let steps = 0; steps <= 5; steps++) {
      const folder = newFolder()
      for (const name of ['narval.db', 'secrets', 'old-only']) writeFileSync(join(folder, name), 'avant')
      mkdirSync(join(folder, STAGED))
      for (const name of ['narval.db', 'secrets', 'new-only']) writeFileSync(join(folder, STAGED, name), 'après')
      let left = steps
      const killed = (): void => {
        if (left-- === 0) throw new Error('killed')
      }
      // As a kill leaves it: nothing was put back.
      expect(() => swapStaged(folder, now(), null, killed)).toThrow('killed')
      expect(isHalfRestored(folder)).toBe(true)
      recoverSwap(folder)
      expect(isThere(folder)).toEqual(['narval.db', 'old-only', 'secrets'])
      for (const name of isThere(folder)) expect(readFileSync(join(folder, name), 'utf8')).toBe('avant')
      expect(readdirSync(folder).filter(name => name.startsWith('.'))).toEqual([])
    }
  })
})

describe('R30: keys', () => {
  it('left out, they are said to be missing, by what is lost without them; given, all is as it was', async () => {
    const config = await newPlace('sqlite')
    const used = secretKeyId(
      Buffer.from(readFileSync(join(config.dataFolder, 'secrets/secret-keys.txt'), 'utf8'), 'base64'),
    )
    const { db, end } = await bare(config)
    await sql`update credential set secret = ${`v1.${used}.abc`}`.execute(db)
    await sql`update notification_channel set secret = ''`.execute(db)
    await sql`update second_factor set secret = ''`.execute(db)
    await end()
    const { path, manifest } = await backUp(config, newFolder(), { keys: false })
    expect(manifest.keys).toMatchObject({ included: false, secrets: [used] })
    expect(manifest.files.filter(file => /secrets|identity/.test(file.path))).toEqual([])
    const target = placeOf(join(newFolder(), 'data'))
    const refusal = restore(target, path)
    await expect(refusal).rejects.toThrow(
      `La clé principale manque (secrets/master.key, empreinte ${manifest.keys.master})`,
    )
    await expect(refusal).rejects.toThrow(`La clé des secrets manque (secrets/secret-keys.txt, empreinte ${used})`)
    expect(existsSync(target.dataFolder)).toBe(false)
    // Those of another installation are as good as none.
    const other = await newPlace('sqlite')
    await expect(restore(target, path, { keys: join(other.dataFolder, 'secrets') })).rejects.toThrow(
      'La clé principale manque',
    )
    await restore(target, path, { keys: join(config.dataFolder, 'secrets') })
    for (const name of ['master.key', 'secret-keys.txt', 'server-key.pem'])
      expect(readFileSync(join(target.dataFolder, 'secrets', name))).toEqual(
        readFileSync(join(config.dataFolder, 'secrets', name)),
      )
    // In their own folder they are found without being named.
    expect((await restore(config, path, { replace: true })).missing).toEqual([])
    expect(readFileSync(join(config.dataFolder, 'probe/identity.json'), 'utf8')).toBe('identity.json')
    const without = await restore(placeOf(join(newFolder(), 'data')), path, { withoutKeys: true })
    expect(without.missing).toHaveLength(2)
  })

  it('given from outside they are never in a backup: the restore asks for the same', async () => {
    const key = randomBytes(32)
    const given = (keys: readonly Buffer[], from: Place): Place => ({ ...from, secretKeys: { kind: 'given', keys } })
    const config = given([key], await newPlace('sqlite'))
    rmSync(join(config.dataFolder, 'secrets/secret-keys.txt'))
    const { db, end } = await bare(config)
    await sql`update credential set secret = ${`v1.${secretKeyId(key)}.abc`}`.execute(db)
    await sql`update notification_channel set secret = ''`.execute(db)
    await sql`update second_factor set secret = ''`.execute(db)
    await end()
    const { path } = await backUp(config, newFolder())
    for (const name of await filesWithin(path))
      expect([name, readFileSync(join(path, name)).includes(key.toString('base64'))]).toEqual([name, false])
    const target = placeOf(join(newFolder(), 'data'))
    await expect(restore(target, path)).rejects.toThrow(
      `La clé des secrets manque (NARVAL_SECRETS_KEY, empreinte ${secretKeyId(key)})`,
    )
    expect((await restore(given([randomBytes(32), key], target), path)).missing).toEqual([])
  })
})
