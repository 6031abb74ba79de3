import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { missingMigrations, unknownMigrations } from '../store/migrator.ts'
import { createBackup } from './create.ts'
import { installationOf } from './keys.ts'
import { BEFORE_UPGRADE } from './names.ts'
import { postgresFacts } from './postgres-copy.ts'
import { keepNewest } from './retention.ts'
import { sqliteFacts } from './sqlite-copy.ts'

/** Copies kept, each as large as the database. */
const KEPT = 3

/**
 * Copies the database into `before-upgrade` of the data folder, which this process has locked, when this version would change
 * its schema; a new, an up-to-date or a newer one is left alone. @returns where the copy is, null without one.
 * @throws when it can't be made: nothing must be changed then.
 */
export const backupBeforeUpgrade = async (
  config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'secretKeys'>,
  now: () => number,
): Promise<string | null> => {
  const migrations = await appliedMigrations(config)
  if (migrations.length === 0 || missingMigrations(migrations).length === 0) return null
  if (unknownMigrations(migrations).length > 0) return null
  const destination = join(config.dataFolder, BEFORE_UPGRADE)
  const { path } = await createBackup({ config, destination, keys: false, databaseOnly: true, now })
  keepNewest(destination, installationOf(join(config.dataFolder, 'secrets')), KEPT)
  return path
}

const appliedMigrations = async ({
  dataFolder,
  databaseUrl,
}: Pick<Config, 'dataFolder' | 'databaseUrl'>): Promise<readonly string[]> => {
  if (databaseUrl !== null) return (await postgresFacts(databaseUrl)).migrations
  const path = join(dataFolder, 'narval.db')
  return existsSync(path) ? sqliteFacts(path).migrations : []
}
