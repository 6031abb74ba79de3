import * as z from 'zod/mini'
import type { Claim } from './claims.ts'
import { route } from './route.ts'
import { idParams, idValue, rawBytes } from './schema.ts'

/** What a CSV file can create or change. */
export const IMPORT_ENTITIES = ['site', 'host', 'metric'] as const
export type ImportEntity = (typeof IMPORT_ENTITIES)[number]
/** The claim that every step asks for, the same as one object alone (S35). */
export const IMPORT_CLAIMS: Readonly<Record<ImportEntity, Claim>> = {
  site: 'site_write',
  host: 'host_write',
  metric: 'metric_write',
}
/** `create`: what exists is an error; `update`: what does not is; `upsert`: both go. */
export const IMPORT_MODES = ['create', 'update', 'upsert'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** Largest file, in bytes; errors told one by one; rows shown of what would be. */
export const IMPORT_MAX_BYTES = 20 * 1024 * 1024
export const IMPORT_MAX_ERRORS = 500
export const IMPORT_SAMPLE_ROWS = 20

export interface ImportField {
  readonly field: string
  /** French; the same as the column of an export, by which it is found again. */
  readonly label: string
  /** Needed to create one (a metric: to find it). */
  readonly required: boolean
  readonly help: string
}
const field = (name: string, label: string, help = '', required = false): ImportField => ({
  field: name,
  label,
  required,
  help,
})
const required = (name: string, label: string, help = ''): ImportField => field(name, label, help, true)

const LIST = 'Plusieurs\u202f: séparés par des virgules.'
const YES_NO = '«\u202foui\u202f» ou «\u202fnon\u202f».'
const ID = 'Numéro de Narval, tel que l’export le donne\u202f: retrouve la ligne même renommée.'
const THRESHOLD = 'Dans l’unité de la métrique\u202f; un pourcentage s’écrit de 0 à 1.'
const CLEAR = 'Valeur à laquelle tout redevient normal\u202f; vide\u202f: automatique.'

/** The fields of each entity with the French labels of their columns, in the order of an export. */
export const IMPORT_FIELDS: Readonly<Record<ImportEntity, readonly ImportField[]>> = {
  site: [
    required('code', 'Code', 'Retrouve le site\u202f; unique.'),
    required('name', 'Nom'),
    field('type', 'Type', 'Nom du type de site.'),
    field('parent', 'Site parent', 'Code du site parent, ou son nom s’il est unique.'),
    field('address', 'Adresse'),
    field('postalCode', 'Code postal'),
    field('city', 'Ville'),
    field('country', 'Pays'),
    field('latitude', 'Latitude', 'Degrés décimaux, de −90 à 90.'),
    field('longitude', 'Longitude', 'Degrés décimaux, de −180 à 180.'),
    field('timeZone', 'Fuseau horaire', 'Par exemple Europe/Paris, qui vaut à défaut.'),
    field(
      'openingHours',
      'Heures de service',
      'lun.–ven. 08:00–18:00\u202f; sam. 09:00–12:00. Vide\u202f: à toute heure.',
    ),
    field('holidays', 'Jours fériés', 'fermé, ou des heures\u202f: 09:00–12:00. Vide\u202f: comme les autres jours.'),
    field('contactName', 'Nom du contact'),
    field('contactPhone', 'Téléphone'),
    field('contactEmail', 'E-mail'),
    field('instruction', 'Consigne'),
    field('probe', 'Sonde par défaut', 'Nom de la sonde.'),
  ],
  host: [
    field('id', 'Identifiant', ID),
    required('name', 'Nom', 'Retrouve l’équipement, avec son site.'),
    required('address', 'Adresse', 'Adresse IP ou nom DNS.'),
    required('site', 'Site', 'Code du site, ou son nom s’il est unique.'),
    field('type', 'Type', 'Nom du type d’équipement.'),
    field('manufacturer', 'Fabricant', 'Du modèle matériel.'),
    field('model', 'Modèle', 'Nom du modèle matériel.'),
    field('probe', 'Sonde', 'Nom de la sonde\u202f; vide\u202f: celle du site.'),
    field('tags', 'Étiquettes', LIST),
    field('enabled', 'Supervision active', YES_NO),
    field('description', 'Description'),
    field('instruction', 'Consigne'),
    field('parents', 'Équipements parents', `Noms, ou #numéro. ${LIST}`),
    field('models', 'Modèles de supervision', `Noms, dans leur ordre. ${LIST}`),
  ],
  metric: [
    field('id', 'Identifiant', ID),
    field('host', 'Équipement', 'Avec le scanner et la clé, retrouve la métrique.'),
    field('scanner', 'Scanner'),
    field('key', 'Clé'),
    field('name', 'Nom'),
    field('warningHigh', 'Seuil d’alerte haut', THRESHOLD),
    field('warningHighClear', 'Retour de l’alerte haute', CLEAR),
    field('warningLow', 'Seuil d’alerte bas', THRESHOLD),
    field('warningLowClear', 'Retour de l’alerte basse', CLEAR),
    field('errorHigh', 'Seuil d’erreur haut', THRESHOLD),
    field('errorHighClear', 'Retour de l’erreur haute', CLEAR),
    field('errorLow', 'Seuil d’erreur bas', THRESHOLD),
    field('errorLowClear', 'Retour de l’erreur basse', CLEAR),
    field('attempts', 'Tentatives', 'De 1 à 20\u202f; vide\u202f: celles du scanner.'),
    field('noData', 'Sans donnée', '«\u202finconnu\u202f» ou «\u202fgardé\u202f».'),
    field('enabled', 'Métrique active', YES_NO),
  ],
}

const text = z.string()
export const importColumn = z.object({ header: text, sample: z.array(text), field: z.nullable(text) })
/** A file that was understood: what it holds, and what its columns seem to be. */
export const importFile = z.object({
  id: idValue,
  entity: z.enum(IMPORT_ENTITIES),
  name: text,
  encoding: text,
  delimiter: text,
  rows: z.int(),
  columns: z.array(importColumn),
  fields: z.array(z.object({ field: text, label: text, required: z.boolean(), help: text })),
  /** Whether the mapping is the one with which a file of this header was imported last. */
  remembered: z.boolean(),
})
export type ImportFile = z.output<typeof importFile>

export const importBody = z.object({
  /** Field by number of the column, from 0; columns left out are not read. */
  mapping: z.record(
    z.string().check(z.regex(/^(0|[1-9]\d{0,2})$/, 'Numéro de colonne incorrect')),
    z.string().check(z.maxLength(64)),
  ),
  mode: z.enum(IMPORT_MODES),
  /** Types and hardware models that do not exist are created instead of being errors. */
  createTypes: z._default(z.boolean(), false),
})
export type ImportInput = z.output<typeof importBody>

export const importError = z.object({ line: z.int(), column: text, message: text })
export type ImportError = z.output<typeof importError>
export const importChange = z.object({ label: text, before: text, after: text })
/** What a row would do; of one that is created, what it would be. */
export const importRow = z.object({
  line: z.int(),
  action: z.enum(['create', 'update', 'unchanged']),
  name: text,
  changes: z.array(importChange),
})
export type ImportRow = z.output<typeof importRow>
/** What an import would do, or has done. One error: nothing is written. */
export const importPlan = z.object({
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  /** The first `IMPORT_MAX_ERRORS`, of so many. */
  errors: z.array(importError),
  errorCount: z.int(),
  sample: z.array(importRow),
  /** Names of types and hardware models that would be created. */
  newTypes: z.array(text),
})
export type ImportPlan = z.output<typeof importPlan>

export const IMPORT_STATES = ['ready', 'checking', 'running', 'done', 'failed'] as const
export const importState = z.object({
  state: z.enum(IMPORT_STATES),
  /** Steps done, of so many: each row is read once and written once. */
  done: z.int(),
  total: z.int(),
  /** What was done, or why nothing was; null until it has ended. */
  result: z.nullable(importPlan),
  /** One sentence of why nothing was written; '' otherwise. */
  message: text,
})
export type ImportState = z.output<typeof importState>

const fileQuery = z.object({
  entity: z.enum(IMPORT_ENTITIES),
  name: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
})

/** Every step also asks for the claim of `IMPORT_CLAIMS`; somebody else's file answers 404. */
export const importRoutes = {
  file: route({
    method: 'POST',
    path: '/api/Import/File',
    access: 'user',
    rate: 'heavy',
    summary: 'Déposer un fichier CSV à importer',
    query: fileQuery,
    rawLimit: IMPORT_MAX_BYTES,
    body: rawBytes,
    status: 201,
    reply: importFile,
  }),
  check: route({
    method: 'POST',
    path: '/api/Import/Check/:id',
    access: 'user',
    rate: 'heavy',
    summary: 'Dire ce que ferait l’import, sans rien écrire',
    params: idParams,
    body: importBody,
    reply: importPlan,
  }),
  run: route({
    method: 'POST',
    path: '/api/Import/Run/:id',
    access: 'user',
    rate: 'heavy',
    summary: 'Commencer l’import : tout, ou rien',
    params: idParams,
    body: importBody,
    reply: importState,
  }),
  get: route({
    method: 'GET',
    path: '/api/Import/Get/:id',
    access: 'user',
    summary: 'Où en est un import',
    params: idParams,
    reply: importState,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/Import/Delete/:id',
    access: 'user',
    summary: 'Oublier un fichier déposé',
    params: idParams,
  }),
} as const
