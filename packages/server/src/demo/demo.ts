import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fold } from '@narval/contracts'
import type { App } from '../app.ts'
import type { Database, Db } from '../store/database.ts'
import { insertScannerWithMetrics } from '../store/scanner-creation.ts'
import { foldTags } from '../store/tags.ts'
import { type DemoHost, type DemoSite, demoFleet } from './fleet.ts'
import { DEMO_BANNER, DEMO_HTTP_PORT, DEMO_TCP_PORT } from './responders.ts'

const RESPONDERS = fileURLToPath(new URL('./responders-main.ts', import.meta.url))
const TIMES = {
  warningHigh: 250,
  warningHighClear: null,
  warningLow: null,
  warningLowClear: null,
  errorHigh: 800,
  errorHighClear: null,
  errorLow: null,
  errorLowClear: null,
}

/** Starts the local responders that the demonstration's fleet is made of. */
export const startDemoResponders = (): Promise<{ stop(): void }> =>
  new Promise((resolve, reject) => {
    const child = fork(RESPONDERS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.once('message', message =>
      message === 'ready'
        ? resolve({ stop: () => void child.kill('SIGTERM') })
        : reject(new Error(`Les répondeurs de la démonstration ne démarrent pas : ${String(message)}`)),
    )
    child.once('error', reject)
  })

/** Creates the fleet once: later starts find it. Polled every 10 s, with 3 s between two attempts. */
export const createDemoFleet = async (app: App, database: Database, size: number, nowMs: number): Promise<void> => {
  const { db } = database
  if ((await db.selectFrom('site').select('id').limit(1).executeTakeFirst()) !== undefined) return
  await app.settings.update('collect', { intervalSeconds: 10, retryIntervalSeconds: 3, timeoutMs: 2_000 }, 'demo')
  await db.transaction().execute(async trx => {
    const types = new Map(
      (await trx.selectFrom('host_type').select(['id', 'name']).execute()).map(type => [type.name, type.id]),
    )
    const siteTypes = new Map(
      (await trx.selectFrom('site_type').select(['id', 'name']).execute()).map(type => [type.name, type.id]),
    )
    for (const site of demoFleet(size)) {
      const siteId = await insertSite(trx, site, siteTypes.get(site.type) ?? null, nowMs)
      for (const host of site.hosts) await insertDemoHost(trx, host, siteId, types.get(host.type) ?? null, nowMs)
    }
    await trx
      .updateTable('metric')
      .set({ thresholds: JSON.stringify(TIMES) })
      .where('key', '=', 'total_time')
      .execute()
  })
  await app.monitoring.reload()
  app.changes.emit({ entity: 'scanner', ids: [], action: 'created' })
}

const insertSite = async (db: Db, site: DemoSite, typeId: number | null, nowMs: number): Promise<number> => {
  const row = await db
    .insertInto('site')
    .values({
      name: site.name,
      name_folded: fold(site.name),
      code: site.code,
      code_folded: fold(site.code),
      type_id: typeId,
      parent_id: null,
      address: site.address,
      postal_code: site.postalCode,
      city: site.city,
      city_folded: fold(site.city),
      country: 'France',
      latitude: site.latitude,
      longitude: site.longitude,
      time_zone: 'Europe/Paris',
      contact_name: 'Accueil',
      contact_phone: '',
      contact_email: '',
      instruction: 'Démonstration : prévenir l’accueil du site avant toute intervention.',
      probe_id: null,
      created_at: nowMs,
      updated_at: nowMs,
      updated_by: 'demo',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const insertDemoHost = async (
  db: Db,
  host: DemoHost,
  siteId: number,
  typeId: number | null,
  nowMs: number,
): Promise<void> => {
  const { id } = await db
    .insertInto('host')
    .values({
      name: host.name,
      name_folded: fold(host.name),
      address: host.address,
      address_folded: host.address,
      type_id: typeId,
      model_id: null,
      site_id: siteId,
      probe_id: null,
      life_scanner_id: null,
      tags: JSON.stringify(host.tags),
      tags_folded: foldTags(host.tags),
      enabled: 1,
      description: host.description,
      instruction: '',
      state: 'pending',
      severity_rank: 2,
      state_since: nowMs,
      created_at: nowMs,
      updated_at: nowMs,
      updated_by: 'demo',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const life = await insertScannerWithMetrics(
    db,
    { hostId: id, kind: 'tcp', name: 'Réponse', parameters: { port: DEMO_TCP_PORT, banner: DEMO_BANNER } },
    'demo',
    nowMs,
  )
  // The kernel answers every ping of 127.0.0.0/8: the life test is a service that can really fail.
  await db.updateTable('host').set({ life_scanner_id: life }).where('id', '=', id).execute()
  if (!host.web) return
  const parameters = { url: `http://{address}:${DEMO_HTTP_PORT}/`, contains: 'Bonjour' }
  await insertScannerWithMetrics(db, { hostId: id, kind: 'http', name: 'Page web', parameters }, 'demo', nowMs)
}
