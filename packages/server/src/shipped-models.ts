import { CHECKS, fold, type MonitoringModelInput, monitoringModelBody, NO_THRESHOLDS } from '@narval/contracts'
import type * as z from 'zod/mini'
import { typeset } from './http/typeset.ts'
import type { Database, Db } from './store/database.ts'
import { lock } from './store/lock.ts'
import { transaction } from './store/transaction.ts'

/** Keys of the models that ship, as discovery proposes them. They never change: names are the users'. */
export const SHIPPED_KEYS = [
  'linux-server',
  'windows-server',
  'router',
  'switch',
  'printer',
  'ups',
  'camera',
  'access-point',
  'web-service',
  'database',
] as const
export type ShippedKey = (typeof SHIPPED_KEYS)[number]

type Given = z.input<typeof monitoringModelBody>
type Scanner = NonNullable<NonNullable<Given['definition']>['scanners']>[number]

const ping: Scanner = { item: 'ping', name: 'Ping', kind: 'ping' }
const system: Scanner = { item: 'system', name: 'Système (SNMP)', kind: 'snmp_system' }
const storage: Scanner = { item: 'storage', name: 'Disques (SNMP)', kind: 'snmp_storage', intervalSeconds: 300 }
const interfaces: Scanner = { item: 'interfaces', name: 'Interfaces (SNMP)', kind: 'snmp_interfaces' }
const sensors: Scanner = { item: 'sensors', name: 'Capteurs (SNMP)', kind: 'snmp_sensors', intervalSeconds: 300 }
/** A ping that tolerates what a radio link loses. */
const radioPing: Scanner = {
  ...ping,
  metrics: [{ key: 'loss_ratio', thresholds: { ...NO_THRESHOLDS, warningHigh: 0.3, errorHigh: 0.8 } }],
}
/** Far sites answer slowly when a link is full: routers say it first. */
const routerPing: Scanner = {
  ...ping,
  metrics: [{ key: 'rtt_avg', thresholds: { ...NO_THRESHOLDS, warningHigh: 150, errorHigh: 500 } }],
}
/** A web page of the equipment itself: its certificate is its own. */
const ownPage = (item: string, name: string): Scanner => ({
  item,
  name,
  kind: 'http',
  intervalSeconds: 300,
  parameters: { url: 'http://{address}/', status: '200-399,401,403', verifyTls: false, followRedirects: false },
})

/** What ships: sensible from the first minute, and edited at will afterwards. */
const SHIPPED: Readonly<Record<ShippedKey, Given>> = {
  'linux-server': {
    name: 'Serveur Linux',
    description: 'Ping, SSH, et par SNMP (snmpd) : processeur, mémoire, charge, disques et interfaces.',
    definition: {
      scanners: [ping, { item: 'ssh', name: 'SSH', kind: 'ssh' }, system, storage, interfaces],
    },
  },
  'windows-server': {
    name: 'Serveur Windows',
    description: 'Ping, bureau à distance, et par SNMP : processeur, mémoire, disques et interfaces.',
    definition: {
      scanners: [
        ping,
        { item: 'rdp', name: 'Bureau à distance', kind: 'tcp', parameters: { port: 3389 } },
        system,
        storage,
        interfaces,
      ],
    },
  },
  router: {
    name: 'Routeur',
    description: 'Ping, et par SNMP : système, interfaces (débits, erreurs, état attendu) et capteurs.',
    definition: { scanners: [routerPing, system, interfaces, sensors] },
  },
  switch: {
    name: 'Commutateur',
    description: 'Ping, et par SNMP : système, ports (débits, erreurs, vitesse et état attendus) et capteurs.',
    definition: { scanners: [ping, system, interfaces, sensors] },
  },
  printer: {
    name: 'Imprimante',
    description: 'Ping, et par SNMP : état, consommables, bacs et pages.',
    definition: {
      scanners: [ping, { item: 'printer', name: 'Imprimante (SNMP)', kind: 'snmp_printer', intervalSeconds: 300 }],
    },
  },
  ups: {
    name: 'Onduleur',
    description: 'Ping, et par SNMP : batterie, autonomie, charge et tensions.',
    definition: { scanners: [ping, { item: 'ups', name: 'Onduleur (SNMP)', kind: 'snmp_ups' }] },
  },
  camera: {
    name: 'Caméra',
    description: 'Ping, flux vidéo (RTSP) et page d’administration.',
    definition: {
      scanners: [
        ping,
        { item: 'rtsp', name: 'Flux vidéo (RTSP)', kind: 'tcp', parameters: { port: 554 } },
        ownPage('page', 'Page d’administration'),
      ],
    },
  },
  'access-point': {
    name: 'Point d’accès',
    description: 'Ping qui tolère la radio, et par SNMP : système et interfaces.',
    definition: { scanners: [radioPing, system, interfaces] },
  },
  'web-service': {
    name: 'Service web',
    description: 'La page répond en HTTPS, vite, et son certificat dure encore.',
    definition: {
      scanners: [
        {
          item: 'page',
          name: 'Page web',
          kind: 'http',
          parameters: { url: 'https://{address}/' },
          metrics: [{ key: 'total_time', thresholds: { ...NO_THRESHOLDS, warningHigh: 2_000, errorHigh: 8_000 } }],
        },
        { item: 'certificate', name: 'Certificat TLS', kind: 'tls', intervalSeconds: 3_600, retryIntervalSeconds: 60 },
      ],
    },
  },
  database: {
    name: 'Base de données',
    description: 'PostgreSQL : le port répond ; un scanner SQL, avec les identifiants de l’équipement, dit plus.',
    definition: {
      scanners: [ping, { item: 'port', name: 'PostgreSQL', kind: 'tcp', parameters: { port: 5_432 } }],
    },
  },
}

/** The model of a key, as it is created. */
export const shippedModel = (key: ShippedKey): MonitoringModelInput => {
  const { definition, ...rest } = monitoringModelBody.parse(SHIPPED[key])
  const scanners = definition.scanners.map(scanner => ({
    ...scanner,
    parameters: CHECKS[scanner.kind].parameters.parse(scanner.parameters),
  }))
  return { ...rest, definition: { ...definition, scanners } }
}

/**
 * Creates the models that ship and were never there. One that people changed stays as they made it, one that they deleted
 * stays away, and a name that is taken gets another beside it.
 */
export const createShippedModels = (database: Database, nowMs: number): Promise<void> =>
  transaction(database.db, async trx => {
    await lock(database, trx, 'monitoring-models')
    await createMissing(trx, nowMs)
  })

const createMissing = async (db: Db, nowMs: number): Promise<void> => {
  const known = await db.selectFrom('shipped_model').select('key').execute()
  const missing = SHIPPED_KEYS.filter(key => !known.some(row => row.key === key))
  for (const key of missing) {
    const { name, description, definition } = shippedModel(key)
    const free = await freeName(db, name)
    const { id } = await db
      .insertInto('monitoring_model')
      .values({
        name: free,
        name_folded: fold(free),
        description: typeset(description),
        definition: JSON.stringify(definition),
        created_at: nowMs,
        updated_at: nowMs,
        updated_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('shipped_model').values({ key, model_id: id }).execute()
  }
}

const freeName = async (db: Db, name: string): Promise<string> => {
  const rows = await db.selectFrom('monitoring_model').select('name_folded').execute()
  const taken = new Set(rows.map(row => row.name_folded))
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : count === 2 ? `${name} (Narval)` : `${name} (Narval ${count - 1})`
    if (!taken.has(fold(candidate))) return candidate
  }
}
