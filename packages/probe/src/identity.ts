import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from './failure.ts'

export interface KeyPair {
  readonly privateKey: KeyObject
  /** Ed25519 public key, SPKI DER in base64. */
  readonly publicKey: string
}

/** Who the probe is: its key pair, and once enrolled its number and the server's key that it trusts. Kept 0600. */
export interface Identity extends KeyPair {
  /** The key that is to replace it, until the server has accepted it once. */
  readonly next: KeyPair | null
  /** X25519 pair for which the server seals credentials; the public key in SPKI DER, base64. */
  readonly sealing: { readonly privateKey: KeyObject; readonly publicKey: string }
  readonly enrolled: { readonly probe: number; readonly serverKey: string } | null
}

const FILE = 'identity.json'
export const identityFile = (folder: string): string => join(folder, FILE)

/** Reads the identity, or makes and keeps a new key pair. Throws when the file is there but unreadable. */
export const loadIdentity = (folder: string): Identity => {
  const text = readOrNull(identityFile(folder))
  if (text === null) {
    const identity: Identity = { ...newKeyPair(), next: null, sealing: newSealing(), enrolled: null }
    saveIdentity(folder, identity)
    return identity
  }
  const stored: unknown = JSON.parse(text)
  if (typeof stored !== 'object' || stored === null || !('privateKey' in stored)) throw new Error('no private key')
  const own = pairOf(String(stored.privateKey))
  const next = 'nextKey' in stored ? pairOf(String(stored.nextKey)) : null
  const isEnrolled = 'probe' in stored && 'serverKey' in stored && Number.isSafeInteger(stored.probe)
  const enrolled = isEnrolled ? { probe: Number(stored.probe), serverKey: String(stored.serverKey) } : null
  if (enrolled !== null) serverKeyObject(enrolled.serverKey)
  const known = 'sealKey' in stored ? pairOf(String(stored.sealKey)) : null
  const identity = { ...own, next, sealing: known ?? newSealing(), enrolled }
  if (known === null) saveIdentity(folder, identity)
  return identity
}

export const newKeyPair = (): KeyPair => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: spkiOf(privateKey) }
}
const pairOf = (text: string): KeyPair => {
  const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: spkiOf(privateKey) }
}

const newSealing = (): Identity['sealing'] => {
  const { privateKey } = generateKeyPairSync('x25519')
  return { privateKey, publicKey: spkiOf(privateKey) }
}

export const saveIdentity = (folder: string, identity: Identity): void => {
  const textOf = (key: KeyObject): string => key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const { privateKey, sealing, next } = identity
  const keys = { privateKey: textOf(privateKey), sealKey: textOf(sealing.privateKey) }
  const change = next === null ? {} : { nextKey: textOf(next.privateKey) }
  writeDurably(identityFile(folder), JSON.stringify({ ...keys, ...change, ...identity.enrolled }))
}

const spkiOf = (privateKey: KeyObject): string =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')

/** The key that verifies the server's answers; throws when it is no Ed25519 key. */
export const serverKeyObject = (serverKey: string): KeyObject => {
  const key = createPublicKey({ key: Buffer.from(serverKey, 'base64'), format: 'der', type: 'spki' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key')
  return key
}

/** What an enrolment code carries of the server's key: the first 16 hexadecimal digits of the SHA-256 of its DER form. */
export const keyFingerprint = (serverKey: string): string =>
  createHash('sha256').update(Buffer.from(serverKey, 'base64')).digest('hex').slice(0, 16)

export const readOrNull = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Replaces a file as a whole or not at all, on disk when it returns; readable by its owner alone. */
export const writeDurably = (file: string, text: string): void => {
  const draft = `${file}.new`
  const fd = openSync(draft, 'w', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(draft, file)
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
