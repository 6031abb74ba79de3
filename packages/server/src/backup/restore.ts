import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { FolderInUse, lockDataFolder } from '../data-folder.ts'
import { missingMigrations, unknownMigrations } from '../store/migrator.ts'
import { DatabaseInUse, takeServerLease } from '../store/server-lease.ts'
import { refuseOthersFolder } from './create.ts'
import { copyFile, isFull, lookAt, syncFolders } from './files.ts'
import { folderKeyIds, givenKeyIds, masterKeyId } from './keys.ts'
import type { BackupFile, Manifest } from './manifest.ts'
import { DATABASE_FOLDER, KEPT_FOLDER, RESTORED, SAMPLES_FOLDER, SQLITE_FILE } from './names.ts'
import { hasTables, loadPostgres } from './postgres-copy.ts'
import { BackupRefused } from './refused.ts'
import { noteRestore } from './restored.ts'
import { isEmptyFolder, isHalfRestored, recoverSwap, STAGED, type Swapped, swapStaged } from './swap.ts'
import { verifyBackup } from './verify.ts'

export interface RestoreOptions {
  /** Whose data folder and database are the target. */
  readonly config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'secretKeys'>
  readonly backup: string
  /** What is there is put aside (the folder) or deleted (tables of PostgreSQL). */
  readonly replace: boolean
  /** A folder `secrets` kept elsewhere; null: that of the backup, or of the target. */
  readonly keys: string | null
  /** Goes on without keys that are missing. */
  readonly withoutKeys: boolean
  readonly now: () => number
  readonly onStep?: (text: string) => void
}

export interface Restored {
  readonly manifest: Manifest
  /** Where what was there is kept; null when there was nothing. */
  readonly before: string | null
  /** The next start brings the schema up to date. */
  readonly isOlder: boolean
  /** What the missing keys mean, sentences in French. */
  readonly missing: readonly string[]
}

/**
 * Puts a backup in the place of what the configuration names, no server running on it. All is verified before anything is
 * touched, prepared beside, and changes place at the end: what fails leaves the target as it was.
 * @throws {BackupRefused} why it can't be restored.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<Restored> => {
  const { config, backup, onStep } = options
  onStep?.('Vérification de la sauvegarde…')
  const manifest = await verifyBackup(backup)
  refuseForeign(manifest, config.databaseUrl)
  const secrets = secretsFor(options, manifest)
  const missing = missingKeys(options, manifest, secrets)
  if (missing.length > 0 && !options.withoutKeys)
    throw new BackupRefused(
      [
        ...missing,
        'Rien n’a été changé. Donnez les clés (--keys <dossier secrets>, NARVAL_SECRETS_KEY ou NARVAL_SECRETS_KEY_FILE), ou passez-vous d’elles avec --without-keys.',
      ].join('\n'),
    )
  await refuseFull(options, manifest)
  const release = await takeTarget(config)
  try {
    const before = await place(options, manifest, secrets)
    const isOlder = missingMigrations(manifest.database.migrations).length > 0
    return { manifest, before, isOlder, missing }
  } catch (error) {
    if (isFull(error))
      throw new BackupRefused(`Il n’y a pas la place dans ${config.dataFolder}\u202f: il est resté tel qu’il était.`)
    throw error
  } finally {
    await release()
  }
}

const refuseForeign = ({ database }: Manifest, url: string | null): void => {
  const unknown = unknownMigrations(database.migrations)
  if (unknown.length > 0)
    throw new BackupRefused(
      `Cette sauvegarde vient d’une version plus récente de Narval (migration ${unknown.join(', ')})\u202f: restaurez-la avec cette version.`,
    )
  if ((database.dialect === 'postgres') === (url !== null)) return
  throw new BackupRefused(
    database.dialect === 'postgres'
      ? 'Cette sauvegarde est celle d’une base PostgreSQL\u202f: nommez la base à remplir par DATABASE_URL.'
      : 'Cette sauvegarde est celle d’une base SQLite\u202f: retirez DATABASE_URL pour la restaurer.',
  )
}

/** The folder of secrets that go with the backup: its own, the one given, or the target's; null when none does. */
const secretsFor = ({ backup, keys, config }: RestoreOptions, manifest: Manifest): string | null => {
  const own = manifest.keys.included ? [join(backup, KEPT_FOLDER, 'secrets')] : []
  const candidates = [...own, ...(keys === null ? [] : [keys]), join(config.dataFolder, 'secrets')]
  return (
    candidates.find(folder => manifest.keys.master !== null && masterKeyId(folder) === manifest.keys.master) ?? null
  )
}

const missingKeys = ({ config }: RestoreOptions, { keys }: Manifest, secrets: string | null): string[] => {
  const missing: string[] = []
  if (keys.master !== null && secrets === null)
    missing.push(
      `La clé principale manque (secrets/master.key, empreinte ${keys.master})\u202f: sans elle les sessions et les jetons s’éteignent, le journal scellé ne se vérifie plus, et chaque sonde est à enrôler de nouveau.`,
    )
  const known = new Set([...givenKeyIds(config.secretKeys), ...(secrets === null ? [] : folderKeyIds(secrets))])
  const lacking = (keys.secrets ?? []).filter(id => !known.has(id))
  if (lacking.length > 0)
    missing.push(
      `La clé des secrets manque (${WHERE[keys.secretsFrom]}, empreinte ${lacking.join(', ')})\u202f: sans elle les identifiants SNMP et HTTP, les secrets des canaux et des champs ne se lisent plus, ils sont à ressaisir.`,
    )
  return missing
}
const WHERE: Record<Manifest['keys']['secretsFrom'], string> = {
  folder: 'secrets/secret-keys.txt',
  given: 'NARVAL_SECRETS_KEY',
  file: 'le fichier de NARVAL_SECRETS_KEY_FILE',
}

const refuseFull = async ({ config, replace }: RestoreOptions, manifest: Manifest): Promise<void> => {
  if (existsSync(config.dataFolder)) refuseOthersFolder(config.dataFolder)
  // What a killed restore has left is put back first, and was to be replaced.
  if (replace || isHalfRestored(config.dataFolder)) return
  if (!isEmptyFolder(config.dataFolder))
    throw new BackupRefused(
      `Le dossier ${config.dataFolder} n’est pas vide\u202f: ajoutez --replace pour remplacer ce qu’il contient (il y sera gardé de côté).`,
    )
  if (manifest.samples === null)
    throw new BackupRefused(
      'Cette copie est celle de la base seule\u202f: elle se restaure dans un dossier de données, avec --replace.',
    )
  if (config.databaseUrl !== null && (await hasTables(config.databaseUrl)))
    throw new BackupRefused(
      'La base de DATABASE_URL contient déjà des données de Narval\u202f: ajoutez --replace pour les supprimer.',
    )
}

/** No server runs on the target, none starts meanwhile. */
const takeTarget = async ({ dataFolder, databaseUrl }: RestoreOptions['config']): Promise<() => Promise<void>> => {
  const wasThere = existsSync(dataFolder)
  try {
    const lock = lockDataFolder(dataFolder)
    try {
      const lease = databaseUrl === null ? null : await takeServerLease(databaseUrl, { patienceMs: 0 })
      return async () => {
        await lease?.release()
        lock.release()
      }
    } catch (error) {
      lock.release()
      if (!wasThere) rmSync(dataFolder, { recursive: true, force: true })
      throw error
    }
  } catch (error) {
    if (error instanceof FolderInUse || error instanceof DatabaseInUse)
      throw new BackupRefused(`${error.message} Arrêtez-le d’abord.`)
    throw error
  }
}

/** Prepares, then changes places; with PostgreSQL within the transaction that loads the tables. */
const place = async (options: RestoreOptions, manifest: Manifest, secrets: string | null): Promise<string | null> => {
  const { config, backup, onStep } = options
  const { dataFolder } = config
  recoverSwap(dataFolder)
  try {
    mkdirSync(join(dataFolder, STAGED), { mode: 0o700 })
    onStep?.('Copie…')
    await stage(options, manifest, secrets)
    const only = manifest.samples === null ? ['narval.db', 'narval.db-wal', 'narval.db-shm', RESTORED] : null
    const swap = (): Swapped => swapStaged(dataFolder, options.now(), only)
    if (config.databaseUrl === null) return stays(swap())
    onStep?.('Base PostgreSQL…')
    const { migrations } = manifest.database
    const folder = join(backup, DATABASE_FOLDER)
    return stays(await loadPostgres(config.databaseUrl, { folder, migrations, replace: options.replace, last: swap }))
  } finally {
    rmSync(join(dataFolder, STAGED), { recursive: true, force: true })
  }
}

const stays = (swapped: Swapped): string | null => {
  swapped.stay()
  return swapped.before
}

const stage = async (
  { backup, config: { dataFolder } }: RestoreOptions,
  manifest: Manifest,
  secrets: string | null,
): Promise<void> => {
  const staged = join(dataFolder, STAGED)
  for (const file of manifest.files) {
    const to = targetOf(file.path)
    if (to !== null) await copyVerified(join(backup, file.path), join(staged, to), file)
  }
  if (manifest.samples !== null && secrets !== null && !existsSync(join(staged, 'secrets')))
    for (const name of ['master.key', 'server-key.pem', 'secret-keys.txt'])
      if ((await lookAt(join(secrets, name)))?.isFile() === true)
        await copyFile(join(secrets, name), join(staged, 'secrets', name))
  await keepIdentity(dataFolder, staged, manifest)
  await noteRestore(staged, backup, manifest.at)
  await syncFolders(staged)
}

/** The local probe of the same installation stays who it is, where the backup does not say. */
const keepIdentity = async (dataFolder: string, staged: string, { samples, keys }: Manifest): Promise<void> => {
  const own = join(dataFolder, 'probe', 'identity.json')
  const isSame = keys.master !== null && masterKeyId(join(dataFolder, 'secrets')) === keys.master
  if (samples === null || keys.included || !isSame || !existsSync(own)) return
  await copyFile(own, join(staged, 'probe', 'identity.json'))
}

/** Place in the data folder; null for what goes into PostgreSQL. */
const targetOf = (path: string): string | null => {
  if (path === SQLITE_FILE) return 'narval.db'
  if (path.startsWith(`${SAMPLES_FOLDER}/`)) return path
  return path.startsWith(`${KEPT_FOLDER}/`) ? path.slice(KEPT_FOLDER.length + 1) : null
}

/** What is copied is what was verified, not what has come since. */
const copyVerified = async (from: string, to: string, { path, sha256 }: BackupFile): Promise<void> => {
  const copied = await copyFile(from, to)
  if (copied.sha256 !== sha256)
    throw new BackupRefused(`${path} a changé depuis sa vérification\u202f: rien n’a été touché.`)
}
