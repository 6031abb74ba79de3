import { join } from 'node:path'
import { readConfig } from './config.ts'
import { FolderInUse, openDataFolder } from './data-folder.ts'
import { findAccount } from './features/account/account.store.ts'
import { hashPassword, randomPassword } from './features/account/password-hash.ts'
import { deleteSecondFactor } from './features/account/second-factor.store.ts'
import { temporaryPasswordEnd } from './first-start.ts'
import { audit } from './store/audit.ts'
import { attachAuditKey } from './store/audit-seal.ts'
import { openPostgres, openSqlite } from './store/database.ts'

/** Gives an administrator a new one-time password: `npm run admin:reset -- <login>`, the server being stopped. */
const reset = async (login: string): Promise<void> => {
  const config = readConfig(process.env)
  const folder = openDataFolder(config.dataFolder)
  const database =
    config.databaseUrl === null
      ? await openSqlite(join(folder.path, 'narval.db'))
      : await openPostgres(config.databaseUrl)
  const account = await findAccount(database.db, { login })
  if (account === null || !account.claims.has('admin'))
    throw new Error(`Aucun administrateur ne s'appelle « ${login} ».`)
  const password = randomPassword()
  const now = Date.now()
  await database.db
    .updateTable('account')
    .set({
      password_hash: await hashPassword(password),
      password_expires_at: temporaryPasswordEnd(now),
      first_connection: 1,
      enabled: 1,
      updated_at: now,
      updated_by: null,
    })
    .where('id', '=', account.id)
    .execute()
  await database.db
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'password-reset' })
    .where('account_id', '=', account.id)
    .where('ended_at', 'is', null)
    .execute()
  await database.db.deleteFrom('api_token').where('account_id', '=', account.id).execute()
  await database.db.deleteFrom('login_failure').execute()
  // Who is locked out may have lost the telephone too: this is the way back in.
  const hadFactor = await deleteSecondFactor(database.db, account.id)
  attachAuditKey(database.db, folder.key('audit'))
  const detail = { reason: 'npm run admin:reset', ...(hadFactor ? { secondFactor: 'retiré' } : {}) }
  const entry = { action: 'password-reset', outcome: 'success', actor: null, object: `account ${account.id}` } as const
  await audit(database.db, { ...entry, detail: { name: account.login, ...detail } }, now)
  await database.close()
  folder.release()
  console.log(`Mot de passe provisoire de ${account.login} (affiché cette seule fois) : ${password}`)
  if (hadFactor) console.log('Son second facteur est retiré : il pourra en activer un autre dans « Mon compte ».')
}

reset(process.argv[2] ?? 'admin').catch((error: unknown) => {
  console.error(
    error instanceof FolderInUse
      ? `${error.message} Arrêtez-le d'abord.`
      : error instanceof Error
        ? error.message
        : error,
  )
  process.exit(1)
})
