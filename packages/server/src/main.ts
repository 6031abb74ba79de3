import { join } from 'node:path'
import { GIVE_BACK_AFTER_MS } from '@narval/engine'
import { type Logger, pino } from 'pino'
import { CONSOLE_FOLDER, createApp } from './app.ts'
import { createFileAnchor } from './audit-anchor.ts'
import { backupBeforeUpgrade } from './backup/before-upgrade.ts'
import { type BackupControl, openBackupControl } from './backup/control.ts'
import { BackupRefused } from './backup/refused.ts'
import { auditRestore } from './backup/restored.ts'
import { isHalfRestored } from './backup/swap.ts'
import { createChanges } from './changes.ts'
import { type Config, readConfig, WrongConfiguration } from './config.ts'
import { type DataFolder, FolderInUse, openDataFolder } from './data-folder.ts'
import { createDemoFleet, DemoCannotStart, startDemoResponders } from './demo/demo.ts'
import { createSettings, retentionOf } from './features/parameter/settings.service.ts'
import { prepareDatabase, superviseThisMachine } from './first-start.ts'
import { type LocalProbe, startLocalProbe } from './local-probe.ts'
import { PRESENCE_TIMING } from './monitoring/probe/presence.ts'
import { openEmbeddedSampleStore } from './samples/embedded.ts'
import { createSecretBox } from './secret-box.ts'
import { openKeyStore } from './secret-keys.ts'
import { createShippedModels } from './shipped-models.ts'
import { openPostgres, openSqlite } from './store/database.ts'
import { NewerSchema, UnsettledSchema } from './store/migrator.ts'
import { DatabaseInUse, type ServerLease, takeServerLease } from './store/server-lease.ts'

/** After this long a stop no longer waits for anybody (R27). */
const DRAIN_MS = 10_000

/** Exit codes: 0 stopped as asked, 1 unexpected fault, 2 wrong configuration, 3 folder in use or newer database. */
const start = async (): Promise<void> => {
  const config = readConfig(process.env)
  // Children have no need of it.
  delete process.env.NARVAL_SECRETS_KEY
  const log = pino(
    { level: config.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] },
    pino.destination({ fd: 2, sync: false }),
  )
  if (isHalfRestored(config.dataFolder))
    throw new BackupRefused(
      'Une restauration n’est pas allée au bout\u202f: relancez npm run restore avant de démarrer.',
    )
  const folder = openDataFolder(config.dataFolder)
  // Before the schema is touched: another server may be at work on it.
  const lease = config.databaseUrl === null ? null : await leaseOf(config.databaseUrl, log)
  const copy = await backupBeforeUpgrade(config, Date.now)
  if (copy !== null) log.warn({ copy }, 'the database was copied before its schema is brought up to date')
  const database =
    config.databaseUrl === null
      ? await openSqlite(join(folder.path, 'narval.db'))
      : await openPostgres(config.databaseUrl)
  const samples = await openEmbeddedSampleStore({
    folder: join(folder.path, 'samples'),
    // Known before the store opens: its first night would drop what another setting keeps.
    retention: retentionOf((await createSettings(database, createChanges(), Date.now)).current()),
  })
  const control = await openBackupControl(folder.path, samples, error =>
    log.warn({ err: error }, 'backups need the server to be stopped'),
  )
  const first = await prepareDatabase(
    database,
    { login: config.adminLogin, password: config.adminPassword },
    Date.now(),
  )
  await createShippedModels(database, Date.now())
  const app = await createApp({
    database,
    samples,
    key: folder.key,
    dataFolder: folder.path,
    auditAnchor: createFileAnchor(folder.path),
    secrets: createSecretBox(openKeyStore(config.secretKeys, folder.path, why => log.error(why))),
    serverKey: folder.serverKey,
    log,
    loginRate: config.loginRate,
    trustProxy: config.trustProxy,
    tls: config.tls,
    publicUrl: config.publicUrl,
    consoleFolder: CONSOLE_FOLDER,
    tells: config.tells,
    ...(lease === null ? {} : { mayTell: lease.isHeld }),
    timing: { ...PRESENCE_TIMING, silentAfterMs: config.silentAfterMs, giveBackAfterMs: GIVE_BACK_AFTER_MS },
  })
  await app.start()
  await auditRestore(database.db, folder.path, Date.now())
  await app.http.listen({ host: config.host, port: config.port })
  const address = app.http.addresses()[0]
  const url = localUrl(config, typeof address === 'object' ? address.port : config.port)
  if (config.demoHosts === 0) await superviseThisMachine(app, database, `${url}/health/live`, Date.now())
  else await createDemoFleet(app, { database, samples }, config.demoHosts, Date.now())
  const responders = config.demoHosts === 0 ? null : await startDemoResponders()
  const probe = config.localProbe
    ? startLocalProbe({
        dataFolder: folder.path,
        serverUrl: url,
        certificate: config.tls?.certificate ?? null,
        ports: config.localProbePorts,
        code: async () => (await app.probes.createCode(null, true)).code,
        log,
      })
    : null
  greet(config, url, first)

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    responders?.stop()
    await stopAll(probe, app, control, samples, database, folder)
    await lease?.release()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop().catch(fail))
}

const leaseOf = (url: string, log: Logger): Promise<ServerLease> =>
  takeServerLease(url, {
    onChange: (isHeld, why) =>
      isHeld
        ? log.warn({ why }, 'this server has the database for itself again: notifications go on')
        : log.error({ why }, 'the lock of the database is lost: nobody is notified until it is taken again'),
  })

const stopAll = async (
  probe: LocalProbe | null,
  app: { stop(): Promise<void> },
  control: BackupControl,
  samples: { close(): Promise<void> },
  database: { close(): Promise<void> },
  folder: DataFolder,
): Promise<void> => {
  await Promise.all([probe?.stop(), app.stop()])
  await control.close()
  await samples.close()
  await database.close()
  folder.release()
}

const localUrl = (config: Config, port: number): string =>
  `${config.tls === null ? 'http' : 'https'}://127.0.0.1:${port}`

const greet = (config: Config, url: string, first: { login: string; password: string | null } | null): void => {
  const lines = [`Narval est prêt : ${config.publicUrl ?? url.replace('127.0.0.1', 'localhost')}`]
  if (first !== null) {
    lines.push(`  Premier administrateur : ${first.login}`)
    if (first.password !== null) lines.push(`  Mot de passe provisoire, affiché cette seule fois : ${first.password}`)
    lines.push('  Ouvrez cette adresse, connectez-vous : la console mène au premier équipement.')
  }
  if (!config.loginRate)
    lines.push(
      'ATTENTION : le frein des connexions et des appels est coupé (NARVAL_LOGIN_RATE=off). À réserver aux essais de charge.',
    )
  if (!config.tells) lines.push('ATTENTION : rien n’est envoyé à personne (NARVAL_NOTIFICATIONS=off).')
  // Between two blank lines: it is found among those of the log.
  console.log(`\n${lines.join('\n')}\n`)
}

const REFUSALS = [FolderInUse, DatabaseInUse, NewerSchema, UnsettledSchema, BackupRefused]

const fail = (error: unknown): never => {
  if (error instanceof WrongConfiguration) {
    console.error(`Configuration refusée :\n${error.faults.map(fault => `  - ${fault}`).join('\n')}`)
    process.exit(2)
  }
  if (REFUSALS.some(refusal => error instanceof refusal) && error instanceof Error) {
    console.error(error.message)
    process.exit(3)
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    console.error('Ce port est déjà pris : choisissez-en un autre par NARVAL_PORT.')
    process.exit(2)
  }
  console.error(error instanceof DemoCannotStart ? error.message : error)
  process.exit(1)
}

// A half-dead process that answers « alive » is worse than one that ends and is started again (R28).
process.on('unhandledRejection', fail)
process.on('uncaughtException', fail)
start().catch(fail)
