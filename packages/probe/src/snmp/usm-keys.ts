import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SNMP_AUTH_PROTOCOLS, SNMP_PRIV_PROTOCOLS } from '@narval/contracts'

export type AuthProtocol = Exclude<(typeof SNMP_AUTH_PROTOCOLS)[number], 'none'>
export type PrivProtocol = Exclude<(typeof SNMP_PRIV_PROTOCOLS)[number], 'none'>

/** Hash and length of the digest in a message: RFC 3414 for the first two, RFC 7860 for the others. */
const AUTH: Readonly<Record<AuthProtocol, { hash: string; digestBytes: number; keyBytes: number }>> = {
  MD5: { hash: 'md5', digestBytes: 12, keyBytes: 16 },
  SHA1: { hash: 'sha1', digestBytes: 12, keyBytes: 20 },
  SHA224: { hash: 'sha224', digestBytes: 16, keyBytes: 28 },
  SHA256: { hash: 'sha256', digestBytes: 24, keyBytes: 32 },
  SHA384: { hash: 'sha384', digestBytes: 32, keyBytes: 48 },
  SHA512: { hash: 'sha512', digestBytes: 48, keyBytes: 64 },
}
/** DES needs 8 bytes of key and 8 of initialisation. */
const PRIV_KEY_BYTES: Readonly<Record<PrivProtocol, number>> = { DES: 16, AES128: 16, AES192: 24, AES256: 32 }

/**
 * How a key that the hash is too short for is made longer. No standard says it: most agents follow draft-blumenthal-aes-usm,
 * Cisco and a few others draft-reeder-snmpv3-usm-3desede.
 */
export const KEY_EXTENSIONS = ['blumenthal', 'reeder'] as const
export type KeyExtension = (typeof KEY_EXTENSIONS)[number]
/** Whether the two ways differ for this pair. */
export const isExtended = (auth: AuthProtocol, priv: PrivProtocol): boolean =>
  PRIV_KEY_BYTES[priv] > AUTH[auth].keyBytes

export const digestBytes = (auth: AuthProtocol): number => AUTH[auth].digestBytes

/** The megabyte of repeated password that RFC 3414 (A.2) has hashed takes milliseconds: its digests are kept, the oldest go. */
const KEPT_MAX = 2_000
const kept = new Map<string, Buffer>()
const MEGABYTE = 1_048_576

const passwordDigest = (auth: AuthProtocol, password: Buffer): Buffer => {
  const { hash } = AUTH[auth]
  // Kept under a hash: no password is the key of a table.
  const name = `${hash} ${createHash('sha256').update(password).digest('base64')}`
  const known = kept.get(name)
  if (known !== undefined) return known
  const digest = createHash(hash).update(Buffer.alloc(MEGABYTE, password)).digest()
  const oldest = kept.keys().next()
  if (kept.size >= KEPT_MAX && oldest.done !== true) kept.delete(oldest.value)
  kept.set(name, digest)
  return digest
}

/** The key of one engine (RFC 3414, 2.6). */
export const localizedKey = (auth: AuthProtocol, password: Buffer, engineId: Buffer): Buffer => {
  const digest = passwordDigest(auth, password)
  return createHash(AUTH[auth].hash).update(digest).update(engineId).update(digest).digest()
}

/** The privacy key of one engine, as long as its protocol needs. */
export const privacyKey = (
  auth: AuthProtocol,
  priv: PrivProtocol,
  password: Buffer,
  engineId: Buffer,
  extension: KeyExtension,
): Buffer => {
  let last = localizedKey(auth, password, engineId)
  let key = last
  while (key.length < PRIV_KEY_BYTES[priv]) {
    last =
      extension === 'blumenthal' ? createHash(AUTH[auth].hash).update(key).digest() : localizedKey(auth, last, engineId)
    key = Buffer.concat([key, last])
  }
  return key.subarray(0, PRIV_KEY_BYTES[priv])
}

/** Digest of a message whose digest field is zeros. */
export const messageDigest = (auth: AuthProtocol, key: Buffer, message: Buffer): Buffer =>
  createHmac(AUTH[auth].hash, key).update(message).digest().subarray(0, AUTH[auth].digestBytes)

/** Whether the digest at `at` is right; the message is as it was afterwards. */
export const isAuthentic = (auth: AuthProtocol, key: Buffer, message: Buffer, at: number): boolean => {
  const copy = Buffer.from(message)
  copy.fill(0, at, at + AUTH[auth].digestBytes)
  return timingSafeEqual(messageDigest(auth, key, copy), message.subarray(at, at + AUTH[auth].digestBytes))
}

/** Boots and time of the engine that a message is for or from: part of the initialisation of AES. */
export interface EngineClock {
  readonly boots: number
  readonly time: number
}

export const encrypt = (priv: PrivProtocol, key: Buffer, clock: EngineClock, plain: Buffer) => {
  const salt = randomBytes(8)
  if (priv !== 'DES') {
    const cipher = createCipheriv(AES[priv], key, aesVector(clock, salt))
    return { salt, bytes: Buffer.concat([cipher.update(plain), cipher.final()]) }
  }
  const padded = Buffer.alloc(Math.ceil(plain.length / 8) * 8)
  plain.copy(padded)
  const cipher = createCipheriv(TRIPLE_DES, tripled(key), desVector(key, salt)).setAutoPadding(false)
  return { salt, bytes: Buffer.concat([cipher.update(padded), cipher.final()]) }
}

/** Null when the salt or the length can not be right. With a wrong key it gives noise. */
export const decrypt = (
  priv: PrivProtocol,
  key: Buffer,
  clock: EngineClock,
  salt: Buffer,
  bytes: Buffer,
): Buffer | null => {
  if (salt.length !== 8) return null
  if (priv !== 'DES') {
    const decipher = createDecipheriv(AES[priv], key, aesVector(clock, salt))
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  }
  if (bytes.length === 0 || bytes.length % 8 !== 0) return null
  const decipher = createDecipheriv(TRIPLE_DES, tripled(key), desVector(key, salt)).setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}

const AES = { AES128: 'aes-128-cfb', AES192: 'aes-192-cfb', AES256: 'aes-256-cfb' } as const
/** OpenSSL 3 has no plain DES any more; triple DES with three times the same key is the same. */
const TRIPLE_DES = 'des-ede3-cbc'
const tripled = (key: Buffer): Buffer => Buffer.concat([key.subarray(0, 8), key.subarray(0, 8), key.subarray(0, 8)])
const desVector = (key: Buffer, salt: Buffer): Buffer => Buffer.from(salt.map((byte, n) => byte ^ (key[8 + n] ?? 0)))

const aesVector = ({ boots, time }: EngineClock, salt: Buffer): Buffer => {
  const vector = Buffer.alloc(16)
  vector.writeUInt32BE(boots >>> 0, 0)
  vector.writeUInt32BE(time >>> 0, 4)
  salt.copy(vector, 8)
  return vector
}
