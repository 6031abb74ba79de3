import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretKeyId } from '../secret-box.ts'
import { parseKeys, type SecretKeySource } from '../secret-keys.ts'

/** Tells which master key it is, and nothing of it; null when there is none in this folder of secrets. */
export const masterKeyId = (secrets: string): string | null => {
  const text = readOrNull(join(secrets, 'master.key'))
  return text === null
    ? null
    : createHash('sha256').update('narval master key').update(text.trim()).digest('hex').slice(0, 8)
}

/** Ids of the keys in a folder of secrets. */
export const folderKeyIds = (secrets: string): string[] => idsOf(readOrNull(join(secrets, 'secret-keys.txt')))

/** Ids of the keys that the configuration gives, the data folder's own excepted. */
export const givenKeyIds = (source: SecretKeySource): string[] => {
  if (source.kind === 'given') return source.keys.map(secretKeyId)
  return source.kind === 'file' ? idsOf(readOrNull(source.path)) : []
}

/** Whose backups these are, the same before and after a restore; null without a master key. */
export const installationOf = (secrets: string): string | null => {
  const text = readOrNull(join(secrets, 'master.key'))
  return text === null
    ? null
    : createHash('sha256').update('narval installation').update(text.trim()).digest('hex').slice(0, 16)
}

const idsOf = (text: string | null): string[] => (text === null ? [] : (parseKeys(text) ?? []).map(secretKeyId))
const readOrNull = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)
