import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve, sep } from 'node:path'
import type { Config } from '../config.ts'
import { FolderInUse, lockDataFolder } from '../data-folder.ts'
import { usedKeys } from '../features/credential/rotation.store.ts'
import { readPostgres, readSqlite } from '../store/database.ts'
import { callServer, type HeldServer } from './control.ts'
import { copyFile, filesWithin, hashFile, isFull, lookAt, syncFolders, syncPath, writeSynced } from './files.ts'
import { installationOf, masterKeyId } from './keys.ts'
import { type BackupFile, MANIFEST, type Manifest, manifestText } from './manifest.ts'
import {
  backupName,
  DATABASE_FOLDER,
  isKept,
  isKey,
  KEPT_FOLDER,
  partialName,
  SAMPLES_FOLDER,
  SQLITE_FILE,
  sweepPartials,
} from './names.ts'
import { copyPostgres } from './postgres-copy.ts'
import { BackupRefused } from './refused.ts'
import { copySqlite, type DatabaseFacts, journalFacts, settleSqlite } from './sqlite-copy.ts'
import { verifyBackup } from './verify.ts'

export interface BackupOptions {
  readonly config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'secretKeys'>
  /** Folder of the backups: each is a folder within it. */
  readonly destination: string
  /** Whether `secrets` and the local probe's identity go with it. */
  readonly keys: boolean
  /** The database alone, of a data folder that this process has locked. */
  readonly databaseOnly?: boolean
  readonly now: () => number
  /** Told in French what comes now, which waits for it. */
  readonly onStep?: (text: string) => void | Promise<void>
}

export interface MadeBackup {
  readonly path: string
  readonly manifest: Manifest
}

/**
 * Makes a whole, verified backup beside a server that goes on writing, or without one. What was acknowledged before it began
 * is in it. Until it is whole and on disk it has another name; whatever fails leaves nothing.
 * @throws {BackupRefused} why it can't be made.
 */
export const createBackup = async (options: BackupOptions): Promise<MadeBackup> => {
  const destination = prepareDestination(options)
  const atMs = options.now()
  const path = join(destination, backupName(atMs))
  if ((await lookAt(path)) !== null) throw new BackupRefused(`${path} existe déjà.`)
  const partial = join(destination, partialName(backupName(atMs)))
  try {
    mkdirSync(partial, { mode: 0o700 })
    await fill(options, partial, new Date(atMs).toISOString())
    await options.onStep?.('Vérification…')
    const manifest = await verifyBackup(partial)
    await syncFolders(partial)
    await rename(partial, path)
    syncPath(destination)
    return { path, manifest }
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (isFull(error))
      throw new BackupRefused(`Il n’y a plus de place dans ${destination}\u202f: rien n’y a été laissé.`)
    throw error
  }
}

const prepareDestination = ({ config, destination, databaseOnly }: BackupOptions): string => {
  const { dataFolder } = config
  if (!existsSync(dataFolder)) throw new BackupRefused(`Il n’y a pas de dossier ${dataFolder} (NARVAL_DATA).`)
  refuseOthersFolder(dataFolder)
  mkdirSync(destination, { recursive: true, mode: 0o700 })
  const real = realpathSync(destination)
  if (databaseOnly !== true && `${real}${sep}`.startsWith(`${realpathSync(dataFolder)}${sep}`))
    throw new BackupRefused(
      'La sauvegarde ne peut pas aller dans le dossier des données\u202f: elle disparaîtrait avec lui.',
    )
  sweepPartials(real)
  return resolve(real)
}

/** Another account would leave files that the server can't have: root above all. @throws {BackupRefused} */
export const refuseOthersFolder = (folder: string): void => {
  const own = process.getuid?.()
  if (own === undefined || statSync(folder).uid === own) return
  throw new BackupRefused(
    `Le dossier ${folder} appartient à un autre compte\u202f: lancez cette commande sous celui du serveur (sudo -u narval …).`,
  )
}

/** What a hold of the server, or the lock of the folder, is kept for. */
interface Held {
  /** From here on the journal's file stands still. */
  freeze(): Promise<void>
  assertThere(): void
  readonly online: boolean
}

const fill = async (options: BackupOptions, partial: string, at: string): Promise<void> => {
  const { config, onStep } = options
  const { dataFolder } = config
  const files: BackupFile[] = []
  let samples: Manifest['samples'] = null
  let database: DatabaseFacts | null = null
  const work = async (held: Held): Promise<boolean> => {
    // The end of the log's chain is noted before the database is read: never ahead of it.
    if (options.databaseOnly !== true) files.push(...(await copyKept(dataFolder, partial, options.keys)))
    await onStep?.('Base de données…')
    database = await copyDatabase(config, partial)
    if (options.databaseOnly !== true) {
      await onStep?.('Mesures…')
      await held.freeze()
      files.push(...(await copySamples(dataFolder, partial)))
      samples = await settleJournal(partial, files, database.applied)
    }
    held.assertThere()
    return held.online
  }
  const online = options.databaseOnly === true ? await work(NOT_HELD) : await standingStill(dataFolder, onStep, work)
  if (database === null) throw new Error('no database was copied')
  files.push(...(await hashedWithin(partial, DATABASE_FOLDER)))
  const secrets = join(dataFolder, 'secrets')
  const manifest: Omit<Manifest, 'format'> = {
    ...{ version: versionOf(), at, machine: hostname(), installation: installationOf(secrets), online, samples },
    database: { dialect: config.databaseUrl === null ? 'sqlite' : 'postgres', ...copyOf(database) },
    keys: {
      included: options.keys,
      master: masterKeyId(secrets),
      secrets: await neededKeys(config.databaseUrl, partial),
      secretsFrom: config.secretKeys.kind,
    },
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
  await writeSynced(join(partial, MANIFEST), manifestText(manifest))
}

const copyOf = ({ migrations, applied }: DatabaseFacts) => ({ migrations: [...migrations], applied })
const NOT_HELD: Held = { freeze: async () => undefined, assertThere: () => undefined, online: false }

/** Has the running server stand still meanwhile, or keeps one from starting. */
const standingStill = async (
  dataFolder: string,
  onStep: BackupOptions['onStep'],
  work: (held: Held) => Promise<boolean>,
): Promise<boolean> => {
  const server = await callServer(dataFolder)
  if (server !== null) {
    try {
      await onStep?.('Le serveur tourne\u202f: il continue de recevoir et d’enregistrer.')
      await server.hold()
      return await work(heldServer(server))
    } finally {
      server.end()
    }
  }
  const lock = lockOf(dataFolder)
  try {
    for (const name of await sampleFiles(dataFolder)) {
      const path = join(dataFolder, 'samples', name)
      if (((await lookAt(`${path}-wal`))?.size ?? 0) > 0) settleSqlite(path)
    }
    return await work(NOT_HELD)
  } finally {
    lock.release()
  }
}

const heldServer = (server: HeldServer): Held => ({
  freeze: async () => void (await server.freeze()),
  assertThere() {
    if (server.isLost()) throw new BackupRefused('Le serveur s’est arrêté pendant la sauvegarde\u202f: recommencez.')
  },
  online: true,
})

const lockOf = (dataFolder: string) => {
  try {
    return lockDataFolder(dataFolder)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new BackupRefused(
      `${error.message} Il ne répond pas à la sauvegarde\u202f: attendez la fin de son démarrage, ou arrêtez-le d’abord.`,
    )
  }
}

const copyKept = async (dataFolder: string, partial: string, keys: boolean): Promise<BackupFile[]> => {
  const copied: BackupFile[] = []
  for (const path of (await filesWithin(dataFolder)).filter(isKept)) {
    if (isKey(path) && !keys) continue
    const to = `${KEPT_FOLDER}/${path}`
    copied.push({ path: to, ...(await copyFile(join(dataFolder, path), join(partial, to))) })
  }
  return copied
}

const copyDatabase = async (config: BackupOptions['config'], partial: string): Promise<DatabaseFacts> => {
  if (config.databaseUrl !== null) return copyPostgres(config.databaseUrl, join(partial, DATABASE_FOLDER))
  const from = join(config.dataFolder, 'narval.db')
  if (!existsSync(from)) throw new BackupRefused(`Il n’y a pas de base dans ${config.dataFolder} (NARVAL_DATA).`)
  mkdirSync(join(partial, DATABASE_FOLDER), { mode: 0o700 })
  return copySqlite(from, join(partial, SQLITE_FILE))
}

const sampleFiles = async (dataFolder: string): Promise<string[]> => {
  const names = await readdir(join(dataFolder, 'samples')).catch(() => [])
  return names.filter(name => name.endsWith('.db')).sort()
}

const copySamples = async (dataFolder: string, partial: string): Promise<BackupFile[]> => {
  const from = join(dataFolder, 'samples')
  // The newest stored values are a shortcut of the next start, of these very files.
  const shortcut = (await lookAt(join(from, 'last.bin'))) === null ? [] : ['last.bin']
  const copied: BackupFile[] = []
  for (const name of [...(await sampleFiles(dataFolder)), ...shortcut]) {
    const path = `${SAMPLES_FOLDER}/${name}`
    copied.push({ path, ...(await copyFile(join(from, name), join(partial, path))) })
  }
  return copied
}

/** The copied journal, at rest in one file, and how it fits the database. @throws when it lacks what is to be judged yet. */
const settleJournal = async (partial: string, files: BackupFile[], applied: number): Promise<Manifest['samples']> => {
  const path = `${SAMPLES_FOLDER}/journal.db`
  const place = files.findIndex(file => file.path === path)
  if (place < 0) return { lastPosition: 0, sealedThrough: 0 }
  const { last, sealed, trimmed } = journalFacts(join(partial, path))
  if (applied > last || trimmed > applied)
    throw new BackupRefused(
      `Le journal des mesures (lots ${trimmed + 1} à ${last}) et la base (lot ${applied}) ne vont pas ensemble.`,
    )
  syncPath(join(partial, path))
  files[place] = { path, ...(await hashFile(join(partial, path))) }
  return { lastPosition: last, sealedThrough: sealed }
}

const hashedWithin = async (partial: string, folder: string): Promise<BackupFile[]> => {
  const files: BackupFile[] = []
  for (const name of await filesWithin(join(partial, folder))) {
    const path = `${folder}/${name}`
    chmodSync(join(partial, path), 0o600)
    syncPath(join(partial, path))
    files.push({ path, ...(await hashFile(join(partial, path))) })
  }
  return files
}

/** Keys that the copied secrets need; null when a database of another version does not tell. */
const neededKeys = async (url: string | null, partial: string): Promise<string[] | null> => {
  const database = url === null ? readSqlite(join(partial, SQLITE_FILE)) : readPostgres(url)
  try {
    // What is no sealed text names no key.
    return [...(await usedKeys(database.db))].filter(id => KEY_ID.test(id)).sort()
  } catch {
    return null
  } finally {
    await database.close()
  }
}

const KEY_ID = /^[0-9a-f]{8}$/

const versionOf = (): string => {
  const made: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof made === 'object' && made !== null && 'version' in made ? String(made.version) : '0'
}
