import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fold } from '@narval/contracts'
import { sql } from 'kysely'
import type { App } from '../app.ts'
import { saveMonitoringModels } from '../features/host/host-links.ts'
import { typeset } from '../http/typeset.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import { batches } from '../store/batches.ts'
import type { Database, Db } from '../store/database.ts'
import { fieldsFor } from '../store/field-access.ts'
import { applyModels } from '../store/model-inheritance.ts'
import { insertScannerWithMetrics } from '../store/scanner-creation.ts'
import { foldTags } from '../store/tags.ts'
import { createDemoFields, createDemoModels, DEMO_VIEWER, writeDemoValues } from './demo-catalogue.ts'
import { DEMO_HTTP, DEMO_TCP, DEMO_TIMES } from './demo-models.ts'
import { type DemoHost, type DemoSite, demoFleet } from './fleet.ts'

const RESPONDERS = fileURLToPath(new URL('./responders-main.ts', import.meta.url))

/** The demonstration can't start; its message says to people why, and what to do. */
export class DemoCannotStart extends Error {
  override readonly name = 'DemoCannotStart'
}

/** Starts the local responders that the demonstration's fleet is made of. @throws DemoCannotStart */
export const startDemoResponders = (): Promise<{ stop(): void }> =>
  new Promise((resolve, reject) => {
    const refuse = (why: string) => reject(new DemoCannotStart(typeset(`La démonstration ne démarre pas. ${why}`)))
    const child = fork(RESPONDERS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.once('message', message =>
      message === 'ready' ? resolve({ stop: () => void child.kill('SIGTERM') }) : refuse(String(message)),
    )
    child.once('error', error => refuse(error.message))
    child.once('exit', code => refuse(`Ses répondeurs ont cessé (code ${code}).`))
  })

/**
 * Creates the fleet once: later starts find it. Polled every 10 s, with 3 s between two attempts. Models and fields are
 * made as a person makes them, and hosts brought to their models by what the console uses too.
 */
export const createDemoFleet = async (
  app: App,
  { database, samples }: { readonly database: Database; readonly samples: SampleStore },
  size: number,
  nowMs: number,
): Promise<void> => {
  const { db } = database
  if ((await db.selectFrom('site').select('id').limit(1).executeTakeFirst()) !== undefined) return
  await app.settings.update('collect', { intervalSeconds: 10, retryIntervalSeconds: 3, timeoutMs: 2_000 }, 'demo')
  const types = await idsByName(db, 'host_type')
  const siteTypes = await idsByName(db, 'site_type')
  const hardware = await insertHardware(db, size)
  await createDemoFields(app, database, types)
  const models = await createDemoModels(app, database, samples)
  const access = await fieldsFor(database, DEMO_VIEWER, 'host')
  await db.transaction().execute(async trx => {
    const modelled: number[] = []
    for (const site of demoFleet(size)) {
      const siteId = await insertSite(trx, site, siteTypes.get(site.type) ?? null, nowMs)
      const ids: number[] = []
      for (const host of site.hosts) {
        const id = await insertDemoHost(
          trx,
          host,
          siteId,
          { typeId: types.get(host.type) ?? null, modelId: hardware.get(String(host.hardware)) ?? null },
          nowMs,
        )
        ids.push(id)
        await saveMonitoringModels(
          trx,
          id,
          host.models.flatMap(model => models.get(model) ?? []),
        )
        if (host.models.length > 0) modelled.push(id)
      }
      await linkParents(trx, site, ids)
      await writeDemoValues(trx, { site, ids, types, access, dialect: database.dialect, nowMs })
    }
    await applyModels(trx, modelled, DEMO_VIEWER.login, nowMs)
    await chooseLifeTests(trx)
  })
  await app.monitoring.reload()
  app.changes.emit({ entity: 'scanner', ids: [], action: 'created' })
}

const idsByName = async (db: Db, table: 'host_type' | 'site_type'): Promise<Map<string, number>> =>
  new Map((await db.selectFrom(table).select(['id', 'name']).execute()).map(type => [type.name, type.id]))

/** @returns ids by « manufacturer,name ». */
const insertHardware = async (db: Db, size: number): Promise<Map<string, number>> => {
  const known = new Map<string, number>()
  for (const { hardware } of demoFleet(size).flatMap(site => site.hosts)) {
    if (hardware === null || known.has(String(hardware))) continue
    const [manufacturer, name] = hardware
    const row = await db
      .insertInto('host_model')
      .values({ name, name_folded: fold(name), manufacturer })
      .returning('id')
      .executeTakeFirstOrThrow()
    known.set(String(hardware), row.id)
  }
  return known
}

const linkParents = async (trx: Db, site: DemoSite, ids: readonly number[]): Promise<void> => {
  const rows = site.hosts.flatMap((host, rank) => {
    const [host_id, parent_id] = [ids[rank], host.parent === null ? undefined : ids[host.parent]]
    return host_id === undefined || parent_id === undefined ? [] : [{ host_id, parent_id }]
  })
  for (const some of batches(rows))
    await trx
      .insertInto('host_parent')
      .values([...some])
      .execute()
}

/** The kernel answers every ping of 127.0.0.0/8: the life test is a service that can really fail. */
const chooseLifeTests = (trx: Db) =>
  sql`update host set life_scanner_id =
    (select min(scanner.id) from scanner where scanner.host_id = host.id and scanner.name = 'Réponse')`.execute(trx)

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
      opening_hours: JSON.stringify(site.openingHours),
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
  of: { readonly typeId: number | null; readonly modelId: number | null },
  nowMs: number,
): Promise<number> => {
  const { id } = await db
    .insertInto('host')
    .values({
      name: host.name,
      name_folded: fold(host.name),
      address: host.address,
      address_folded: host.address,
      type_id: of.typeId,
      model_id: of.modelId,
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
  const own = (kind: 'tcp' | 'http', name: string, parameters: Readonly<Record<string, unknown>>) =>
    insertScannerWithMetrics(db, { hostId: id, kind, name, parameters }, DEMO_VIEWER.login, nowMs)
  if (!host.models.includes('network') && !host.models.includes('database')) await own('tcp', 'Réponse', DEMO_TCP)
  if (host.web && !host.models.includes('web')) {
    const scanner = await own('http', 'Page web', DEMO_HTTP)
    await db
      .updateTable('metric')
      .set({ thresholds: JSON.stringify(DEMO_TIMES) })
      .where('scanner_id', '=', scanner)
      .where('key', '=', 'total_time')
      .execute()
  }
  return id
}
