import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { BackupRefused } from './refused.ts'

/** Its name in a backup: written last, so that what lacks it is no backup. */
export const MANIFEST = 'manifest.json'
const FORMAT = 1

/** No way out of the backup, whatever a manifest says: parts of letters, digits and . _ - that begin with no dot. */
const path = z.string().check(z.regex(/^[A-Za-z0-9_-][\w.-]*(\/[A-Za-z0-9_-][\w.-]*)*$/), z.maxLength(300))
const count = z.int().check(z.minimum(0))
const keyId = z.string().check(z.regex(/^[0-9a-f]{8}$/))

const shape = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of Narval that made it. */
  version: z.string(),
  /** ISO 8601, UTC: what it holds is as of then. */
  at: z.iso.datetime(),
  machine: z.string(),
  /** Tells whose backups are in a folder: drawn from the master key, null without one. */
  installation: z.nullable(z.string()),
  /** The server was running. */
  online: z.boolean(),
  /** Null: the database alone, as before an upgrade. */
  samples: z.nullable(z.strictObject({ lastPosition: count, sealedThrough: count })),
  database: z.strictObject({
    dialect: z.enum(['sqlite', 'postgres']),
    /** Migrations applied, in order. */
    migrations: z.array(z.string()),
    /** Journal position up to which states are judged. */
    applied: count,
  }),
  keys: z.strictObject({
    /** What the folder `folder/secrets` of the backup holds, or would hold. */
    included: z.boolean(),
    master: z.nullable(keyId),
    /** Ids of the keys that secrets of the database are sealed with; null when that is not known. */
    secrets: z.nullable(z.array(keyId)),
    /** Where the server has them from. */
    secretsFrom: z.enum(['folder', 'given', 'file']),
  }),
  files: z.array(z.strictObject({ path, bytes: count, sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })),
})
export type Manifest = z.infer<typeof shape>
export type BackupFile = Manifest['files'][number]

const checksumOf = (manifest: unknown): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

/** The text of the file: the manifest and its own checksum. */
export const manifestText = (manifest: Omit<Manifest, 'format'>): string => {
  const whole: Manifest = { format: FORMAT, ...manifest }
  return `${JSON.stringify({ manifest: whole, sha256: checksumOf(whole) }, null, 1)}\n`
}

/** @throws {BackupRefused} when there is none, it was changed, or a newer Narval made it. */
export const readManifest = (backup: string): Manifest => {
  let text: string
  try {
    text = readFileSync(join(backup, MANIFEST), 'utf8')
  } catch {
    throw new BackupRefused(`${backup} n’est pas une sauvegarde entière\u202f: ${MANIFEST} manque.`)
  }
  const told = parsed(text)
  if (told !== null && told.format > FORMAT)
    throw new BackupRefused(
      `Cette sauvegarde vient d’une version plus récente de Narval (format ${told.format}, celui-ci connaît le ${FORMAT}).`,
    )
  const manifest = told === null ? null : shape.safeParse(told.manifest)
  if (told === null || manifest?.success !== true || checksumOf(told.manifest) !== told.sha256)
    throw new BackupRefused(`Le manifeste ${join(backup, MANIFEST)} est abîmé ou a été modifié.`)
  return manifest.data
}

const outer = z.object({ manifest: z.looseObject({ format: z.int() }), sha256: z.string() })
const parsed = (text: string): { format: number; manifest: unknown; sha256: string } | null => {
  try {
    const { manifest, sha256 } = outer.parse(JSON.parse(text))
    return { format: manifest.format, manifest, sha256 }
  } catch {
    return null
  }
}
