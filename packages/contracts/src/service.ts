import * as z from 'zod/mini'
import { datatableRoutes } from './datatable.ts'
import { route } from './route.ts'
import { idParams, idValue, instant } from './schema.ts'

/** `off`: it is not wanted; `unknown`: nothing is known yet, and the sentence says why. */
export const SERVICE_STATES = ['ok', 'warning', 'error', 'unknown', 'off'] as const
export type ServiceHealth = (typeof SERVICE_STATES)[number]

/** Parts of the server, in the order of the list. Ids never change; probes have their own after `PROBE_SERVICE_BASE`. */
export const SERVICES = {
  server: { id: 1, name: 'Serveur', role: 'Le programme lui-même\u202f: boucle d’évènements, mémoire, descripteurs.' },
  api: { id: 2, name: 'API', role: 'Les appels de la console, des scripts et des sondes.' },
  hub: { id: 3, name: 'Temps réel', role: 'Ce qui est poussé vers les écrans ouverts.' },
  exchange: {
    id: 4,
    name: 'Échanges avec les sondes',
    role: 'Configurations et ordres que les sondes viennent chercher.',
  },
  ingest: { id: 5, name: 'Réception des mesures', role: 'Les lots signés des sondes, écrits avant d’être acquittés.' },
  judging: { id: 6, name: 'Jugement des états', role: 'Seuils, états confirmés, incidents.' },
  samples: { id: 7, name: 'Magasin de mesures', role: 'Journal, blocs compressés et moyennes, dans leur propre fil.' },
  database: { id: 8, name: 'Base de données', role: 'Objets, états, incidents, journal d’audit.' },
  disk: { id: 9, name: 'Disque', role: 'La place du dossier des données.' },
  notifier: { id: 10, name: 'Notifications', role: 'Qui doit être prévenu de quoi, chaque seconde.' },
  delivery: { id: 11, name: 'Envois', role: 'Les messages qui partent par les canaux.' },
  discovery: { id: 12, name: 'Découverte', role: 'Les passages sur les plages d’adresses.' },
  retention: { id: 13, name: 'Conservation', role: 'L’effacement de ce qui a fait son temps, chaque heure.' },
  chain: { id: 14, name: 'Scellement du log', role: 'La chaîne qui montre que rien du log n’a été changé.' },
  backup: {
    id: 17,
    name: 'Sauvegarde',
    role: 'La dernière copie des données, faite par «\u202fnpm run backup\u202f».',
  },
  clock: {
    id: 15,
    name: 'Horloge',
    role: 'L’heure du serveur\u202f: ses sauts, son écart avec la base, son réglage par NTP. Celle d’une sonde est sur sa ligne.',
  },
  beat: { id: 16, name: 'Battement sortant', role: 'L’appel qui dit ailleurs que Narval travaille.' },
} as const satisfies Record<string, { readonly id: number; readonly name: string; readonly role: string }>
export type ServiceKey = keyof typeof SERVICES
/** A probe's id as a service is this and its own id. */
export const PROBE_SERVICE_BASE = 1_000

export const SERVICE_KINDS = ['internal', 'probe'] as const
/** Stream of the service hub that says that a service changed its state, at most once a second, and nothing of which. */
export const SERVICES_STREAM = 'services'
/** Errors kept of a service, and how long its rate is averaged. */
export const SERVICE_ERRORS_KEPT = 20
export const SERVICE_RATE_MS = 60_000

/** How a figure is read; `text` and `instant` (ISO 8601) are strings, all others numbers. */
export const FIGURE_UNITS = ['count', 'bytes', 'ms', 'ratio', 'perSecond', 'instant', 'text'] as const

export const serviceFigure = z.object({
  label: z.string(),
  /** Null: it is not known. */
  value: z.nullable(z.union([z.number(), z.string()])),
  unit: z.enum(FIGURE_UNITS),
})
export type ServiceFigure = z.output<typeof serviceFigure>

export const serviceError = z.object({
  at: instant,
  text: z.string(),
  /** How often in a row it was the same; `at` is the last time. */
  count: z.int(),
})
export type ServiceError = z.output<typeof serviceError>

export const service = z.object({
  id: idValue,
  name: z.string(),
  kind: z.enum(SERVICE_KINDS),
  role: z.string(),
  state: z.enum(SERVICE_STATES),
  /** Why it has this state, a sentence. */
  reason: z.string(),
  /** Since when it has this state; null: before the server knew. */
  since: z.nullable(instant),
  version: z.string(),
  /** Per second over the last minute; null: it has none. */
  rate: z.nullable(z.number()),
  /** What the rate counts, agreed with it: « mesures », « appel ». */
  rateOf: z.string(),
  /** What waits now; null: nothing ever does, or it is not known. `queueOf` is agreed with it. */
  queue: z.nullable(z.int()),
  queueOf: z.string(),
  lastError: z.nullable(serviceError),
  /** Of a probe: its id. */
  probeId: z.nullable(idValue),
})
export type Service = z.output<typeof service>

/** A service with all that is measured of it. */
export const serviceDetail = z.extend(service, {
  figures: z.array(serviceFigure),
  /** The newest first; those of internal services end with the server. */
  errors: z.array(serviceError),
})
export type ServiceDetail = z.output<typeof serviceDetail>

/** What the stores take, and where that leads. */
export const STORE_PARTS = ['database', 'journal', 'chunks', 'rollups', 'anchor', 'probe', 'other'] as const
export type StorePart = (typeof STORE_PARTS)[number]
/** `early`: too few sizes were noted; `steady`: it does not grow; `filling`: `fullAt` says when the disk is full. */
export const FORECASTS = ['early', 'steady', 'filling'] as const

export const serviceStorage = z.object({
  /** When it was measured; null: not yet, or the folder is not known. */
  at: z.nullable(instant),
  folder: z.string(),
  parts: z.array(z.object({ part: z.enum(STORE_PARTS), bytes: z.int(), files: z.int() })),
  /** Of an outside PostgreSQL, which has a disk of its own; null: the database lies in the folder. */
  outsideBytes: z.nullable(z.int()),
  /** Free is what Narval may still write: less than what is not used, where some is kept for the system. */
  disk: z.nullable(z.object({ totalBytes: z.int(), usedBytes: z.int(), freeBytes: z.int(), usedRatio: z.number() })),
  forecast: z.object({
    outlook: z.enum(FORECASTS),
    /** Null while it is too early. */
    bytesPerDay: z.nullable(z.number()),
    fullAt: z.nullable(instant),
    /** First size that it rests on, and how many of them; hourly. */
    from: z.nullable(instant),
    sizes: z.int(),
    sentence: z.string(),
  }),
  /** Sizes noted every hour, the oldest first. */
  history: z.array(z.object({ at: instant, bytes: z.int(), freeBytes: z.nullable(z.int()) })),
  retention: z.array(
    z.object({
      label: z.string(),
      days: z.int(),
      /** The setting that says it; null: it is fixed. */
      setting: z.nullable(z.string()),
    }),
  ),
})
export type ServiceStorage = z.output<typeof serviceStorage>

export const serviceRoutes = {
  list: route({
    method: 'GET',
    path: '/api/Service/Get',
    access: 'service_read',
    summary: 'Tous les services de Narval et toutes les sondes, avec leur état',
    reply: z.array(service),
  }),
  get: route({
    method: 'GET',
    path: '/api/Service/Get/:id',
    access: 'service_read',
    summary: 'Un service, avec ses mesures et ses dernières erreurs',
    params: idParams,
    reply: serviceDetail,
  }),
  storage: route({
    method: 'GET',
    path: '/api/Service/Storage',
    access: 'service_read',
    summary: 'Place des données sur le disque, sa croissance et les durées de conservation',
    reply: serviceStorage,
  }),
  datatable: datatableRoutes('ServiceDatatable', 'service_read', 'Services', service),
} as const
