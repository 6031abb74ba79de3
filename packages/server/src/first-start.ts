import { hostname } from 'node:os'
import { CLAIMS, type Claim, fold, SETTINGS } from '@narval/contracts'
import type { App } from './app.ts'
import { insertAccount } from './features/account/account.store.ts'
import { hashPassword, randomPassword } from './features/account/password-hash.ts'
import { readGateway } from './monitoring/probe/own-machine.ts'
import type { Database, Db } from './store/database.ts'
import { insertScannerWithMetrics } from './store/scanner-creation.ts'

const SITE_TYPES = [
  ['Siège', 'building'],
  ['Agence', 'building-community'],
  ['Datacenter', 'server'],
  ['Usine', 'building-factory'],
  ['Entrepôt', 'building-warehouse'],
  ['Point de vente', 'building-store'],
] as const
const HOST_TYPES = [
  ['Serveur', 'server'],
  ['Routeur', 'router'],
  ['Commutateur', 'switch'],
  ['Pare-feu', 'wall'],
  ['Point d’accès', 'wifi'],
  ['Imprimante', 'printer'],
  ['Onduleur', 'battery'],
  ['Caméra', 'camera'],
  ['Service web', 'world'],
  ['Base de données', 'database'],
  ['Autre', 'device'],
] as const
const READER_CLAIMS: readonly Claim[] = ['scanner_read', 'user_read', 'user_group_read', 'service_read', 'log_read']
const GROUPS: readonly { name: string; description: string; claims: readonly Claim[] }[] = [
  { name: 'Administrateurs', description: 'Tous les droits.', claims: ['admin'] },
  {
    name: 'Exploitants',
    description: 'Voient tout, tiennent les objets et les incidents.',
    claims: [...READER_CLAIMS, 'incident_write', 'host_write', 'metric_write', 'site_write'],
  },
  { name: 'Lecteurs', description: 'Consultent sites, équipements, métriques et tableaux de bord.', claims: [] },
]

export interface FirstAccount {
  readonly login: string
  /** To be shown once; null when it was given by the environment. */
  readonly password: string | null
}

/** What every installation begins with: types, groups and, when there is no account at all, the first administrator. */
export const prepareDatabase = async (
  database: Database,
  admin: { login: string | null; password: string | null },
  nowMs: number,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<FirstAccount | null> => {
  const { db } = database
  const count = await db
    .selectFrom('account')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (Number(count.n) > 0) return null
  const password = admin.password ?? randomPassword()
  const passwordHash = await hash(password)
  const login = admin.login ?? 'admin'
  await db.transaction().execute(async trx => {
    await insertTypes(trx)
    const administrators = await insertGroups(trx, nowMs)
    const account = {
      login,
      firstName: '',
      lastName: '',
      email: '',
      avatar: 'narval',
      passwordHash,
      passwordExpiresAt: admin.password === null ? temporaryPasswordEnd(nowMs) : null,
      firstConnection: true,
      groups: [administrators],
      claims: [],
    }
    await insertAccount(trx, account, null, nowMs)
  })
  return { login, password: admin.password === null ? password : null }
}

/** When a password that was generated before there are settings ends (S08), epoch ms. */
export const temporaryPasswordEnd = (nowMs: number): number =>
  nowMs + SETTINGS.temporaryPasswordHours.default * 3_600_000

const insertTypes = async (db: Db): Promise<void> => {
  const rows = (types: readonly (readonly [string, string])[]) =>
    types.map(([name, icon]) => ({ name, name_folded: fold(name), icon }))
  await db.insertInto('site_type').values(rows(SITE_TYPES)).execute()
  await db.insertInto('host_type').values(rows(HOST_TYPES)).execute()
}

/** @returns the id of the administrators' group. */
const insertGroups = async (db: Db, nowMs: number): Promise<number> => {
  let administrators = 0
  for (const group of GROUPS) {
    const row = await db
      .insertInto('user_group')
      .values({
        name: group.name,
        name_folded: fold(group.name),
        description: group.description,
        created_at: nowMs,
        updated_at: nowMs,
        updated_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const claims = CLAIMS.filter(claim => group.claims.includes(claim)).map(claim => ({ group_id: row.id, claim }))
    if (claims.length > 0) await db.insertInto('user_group_claim').values(claims).execute()
    if (administrators === 0) administrators = row.id
  }
  return administrators
}

/** This machine, supervised from the first minute: itself, its gateway if any, and the console's own health page. */
export const superviseThisMachine = async (
  app: App,
  database: Database,
  healthUrl: string,
  nowMs: number,
): Promise<void> => {
  const { db } = database
  if ((await db.selectFrom('site').select('id').limit(1).executeTakeFirst()) !== undefined) return
  const gateway = readGateway()
  await db.transaction().execute(async trx => {
    const siteId = await insertSite(trx, nowMs)
    const typeOf = async (name: string) =>
      (await trx.selectFrom('host_type').select('id').where('name_folded', '=', fold(name)).executeTakeFirst())?.id ??
      null
    const machine = await insertHost(
      trx,
      {
        name: hostname(),
        address: '127.0.0.1',
        siteId,
        typeId: await typeOf('Serveur'),
        description: 'La machine qui fait tourner Narval.',
      },
      nowMs,
    )
    await insertScannerWithMetrics(trx, { hostId: machine, kind: 'ping', name: 'Ping', parameters: {} }, null, nowMs)
    await insertScannerWithMetrics(
      trx,
      { hostId: machine, kind: 'system', name: 'Système', parameters: {} },
      null,
      nowMs,
    )
    await insertScannerWithMetrics(
      trx,
      { hostId: machine, kind: 'http', name: 'Console Narval', parameters: { url: healthUrl, verifyTls: false } },
      null,
      nowMs,
    )
    if (gateway === null) return
    const router = await insertHost(
      trx,
      {
        name: 'Passerelle',
        address: gateway,
        siteId,
        typeId: await typeOf('Routeur'),
        description: 'La passerelle par défaut de cette machine.',
      },
      nowMs,
    )
    await insertScannerWithMetrics(trx, { hostId: router, kind: 'ping', name: 'Ping', parameters: {} }, null, nowMs)
  })
  await app.monitoring.reload()
  app.changes.emit({ entity: 'scanner', ids: [], action: 'created' })
}

const insertSite = async (db: Db, nowMs: number): Promise<number> => {
  const row = await db
    .insertInto('site')
    .values({
      name: 'Site principal',
      name_folded: fold('Site principal'),
      code: 'PRINCIPAL',
      code_folded: 'principal',
      type_id: null,
      parent_id: null,
      address: '',
      postal_code: '',
      city: '',
      city_folded: '',
      country: 'France',
      latitude: null,
      longitude: null,
      time_zone: 'Europe/Paris',
      contact_name: '',
      contact_phone: '',
      contact_email: '',
      instruction: '',
      probe_id: null,
      created_at: nowMs,
      updated_at: nowMs,
      updated_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export interface NewHost {
  readonly name: string
  readonly address: string
  readonly siteId: number
  readonly typeId: number | null
  readonly description: string
}

export const insertHost = async (db: Db, host: NewHost, nowMs: number): Promise<number> => {
  const row = await db
    .insertInto('host')
    .values({
      name: host.name,
      name_folded: fold(host.name),
      address: host.address,
      address_folded: fold(host.address),
      type_id: host.typeId,
      model_id: null,
      site_id: host.siteId,
      probe_id: null,
      life_scanner_id: null,
      tags: '[]',
      tags_folded: '',
      enabled: 1,
      description: host.description,
      instruction: '',
      state: 'pending',
      severity_rank: 2,
      state_since: nowMs,
      created_at: nowMs,
      updated_at: nowMs,
      updated_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
