import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { KEY_BYTES, type KeyStore } from './secret-box.ts'

/** Where the configuration says that the keys of secrets are: the data folder unless something else is said. */
export type SecretKeySource =
  | { readonly kind: 'folder' }
  | { readonly kind: 'given'; readonly keys: readonly Buffer[] }
  | { readonly kind: 'file'; readonly path: string }

/**
 * Keys in base64 of 32 bytes each, separated by commas or blanks: the first seals, the others open what they sealed.
 * Null when one is not that.
 */
export const parseKeys = (text: string): readonly Buffer[] | null => {
  const parts = text.split(/[\s,]+/).filter(part => part !== '')
  const keys = parts.map(part => Buffer.from(part, 'base64'))
  const right = keys.every((key, index) => key.length === KEY_BYTES && key.toString('base64') === parts[index])
  return right && keys.length > 0 ? keys : null
}

/** Reads the keys; `warn` is told why when there are none: the server runs all the same, without its secrets. */
export const openKeyStore = (source: SecretKeySource, folder: string, warn: (why: string) => void): KeyStore => {
  if (source.kind === 'given') return { keys: source.keys, save: null }
  const path = source.kind === 'file' ? source.path : join(folder, 'secrets', 'secret-keys.txt')
  if (source.kind === 'folder' && !existsSync(path)) saveKeys(path, [randomBytes(KEY_BYTES)])
  const keys = readKeys(path)
  if (keys === null) warn(`Les clés des secrets sont illisibles : ${path}.`)
  return {
    keys: keys ?? [],
    save: source.kind === 'folder' && keys !== null ? next => saveKeys(path, next) : null,
  }
}

const readKeys = (path: string): readonly Buffer[] | null => {
  try {
    return parseKeys(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Whole or not at all, on disk when it returns, readable by its owner only. */
const saveKeys = (path: string, keys: readonly Buffer[]): void => {
  const partial = `${path}.partial`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(partial, { force: true })
  const descriptor = openSync(partial, 'wx', 0o600)
  try {
    writeFileSync(descriptor, keys.map(key => `${key.toString('base64')}\n`).join(''))
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(partial, path)
  syncFolder(dirname(path))
}

/** The new name is on disk only once its folder is. */
const syncFolder = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
