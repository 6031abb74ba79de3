import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backupBeforeUpgrade } from './backup/before-upgrade.ts'
import { refuseOthersFolder } from './backup/create.ts'
import { BackupRefused } from './backup/refused.ts'
import { isHalfRestored } from './backup/swap.ts'
import { type Config, readConfig } from './config.ts'
import { FolderInUse, openDataFolder } from './data-folder.ts'
import { findAccount } from './features/account/account.store.ts'
import { hashPassword, randomPassword } from './features/account/password-hash.ts'
import { deleteSecondFactor } from './features/account/second-factor.store.ts'
import { temporaryPasswordEnd } from './first-start.ts'
import { audit } from './store/audit.ts'
import { attachAuditKey } from './store/audit-seal.ts'
import { type Db, openPostgres, openSqlite } from './store/database.ts'

/** Gives an administrator a new one-time password: `npm run admin:reset -- <login>`, the server being stopped. */
const reset = async (login: string): Promise<void> => {
  const config = readConfig(process.env)
  refuseOtherPlace(config)
  const folder = openDataFolder(config.dataFolder)
  // Opening it brings its schema up to date, as a start does.
  await backupBeforeUpgrade(config, Date.now)
  const database =
    config.databaseUrl === null
      ? await openSqlite(join(folder.path, 'narval.db'))
      : await openPostgres(config.databaseUrl)
  attachAuditKey(database.db, folder.key('audit'))
  const password = randomPassword()
  const passwordHash = await hashPassword(password)
  const { name, hadFactor } = await database.db
    .transaction()
    .execute(trx => write(trx, login, passwordHash, Date.now()))
  await database.close()
  folder.release()
  console.log(`Mot de passe provisoire de ${name} (affiché cette seule fois)\u202f: ${password}`)
  if (hadFactor)
    console.log('Son second facteur est retiré\u202f: il pourra en activer un autre dans «\u202fMon compte\u202f».')
}

/** Nothing is made where no server has worked, nor files that it could not write. */
const refuseOtherPlace = ({ dataFolder, databaseUrl }: Config): void => {
  if (!existsSync(databaseUrl === null ? join(dataFolder, 'narval.db') : dataFolder))
    throw new BackupRefused(`Il n’y a pas de données de Narval dans ${dataFolder} (NARVAL_DATA).`)
  refuseOthersFolder(dataFolder)
  if (isHalfRestored(dataFolder))
    throw new BackupRefused('Une restauration n’est pas allée au bout\u202f: relancez d’abord npm run restore.')
}

const write = async (
  trx: Db,
  login: string,
  passwordHash: string,
  now: number,
): Promise<{ readonly name: string; readonly hadFactor: boolean }> => {
  const account = await findAccount(trx, { login })
  if (account === null || !account.claims.has('admin'))
    throw new Error(`Aucun administrateur ne s’appelle «\u202f${login}\u202f».`)
  await trx
    .updateTable('account')
    .set({
      password_hash: passwordHash,
      password_expires_at: temporaryPasswordEnd(now),
      first_connection: 1,
      enabled: 1,
      updated_at: now,
      updated_by: null,
    })
    .where('id', '=', account.id)
    .execute()
  await trx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'password-reset' })
    .where('account_id', '=', account.id)
    .where('ended_at', 'is', null)
    .execute()
  await trx.deleteFrom('api_token').where('account_id', '=', account.id).execute()
  await trx.deleteFrom('login_failure').execute()
  // Who is locked out may have lost the telephone too: this is the way back in.
  const hadFactor = await deleteSecondFactor(trx, account.id)
  const detail = { reason: 'npm run admin:reset', ...(hadFactor ? { secondFactor: 'retiré' } : {}) }
  const entry = { action: 'password-reset', outcome: 'success', actor: null, object: `account ${account.id}` } as const
  await audit(trx, { ...entry, detail: { name: account.login, ...detail } }, now)
  return { name: account.login, hadFactor }
}

reset(process.argv[2] ?? 'admin').catch((error: unknown) => {
  console.error(
    error instanceof FolderInUse
      ? `${error.message} Arrêtez-le d’abord.`
      : error instanceof Error
        ? error.message
        : error,
  )
  process.exit(1)
})
