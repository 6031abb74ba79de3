import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'

/**
 * The fixed symmetric key that the requirements ask for (spec §9). It only keeps the cache from being read at a glance:
 * whoever reads this file reads the key, and nothing trusts what comes out (every right is checked by the server).
 */
const KEY = new TextEncoder().encode('narval/console/local-cache/v2.0.')
const NONCE_LENGTH = 24

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), char => char.charCodeAt(0))

/** Encrypts a short text for local storage: base64 of nonce and ciphertext. */
export const encrypt = (text: string, randomBytes: (length: number) => Uint8Array): string => {
  const nonce = randomBytes(NONCE_LENGTH)
  const sealed = xchacha20poly1305(KEY, nonce).encrypt(new TextEncoder().encode(text))
  const whole = new Uint8Array(nonce.length + sealed.length)
  whole.set(nonce)
  whole.set(sealed, nonce.length)
  return toBase64(whole)
}

/** The text, or null for anything that `encrypt` did not make. */
export const decrypt = (sealed: string): string | null => {
  try {
    const whole = fromBase64(sealed)
    const plain = xchacha20poly1305(KEY, whole.subarray(0, NONCE_LENGTH)).decrypt(whole.subarray(NONCE_LENGTH))
    return new TextDecoder('utf-8', { fatal: true }).decode(plain)
  } catch {
    return null
  }
}

/** Random bytes that also work on plain HTTP, where `crypto.subtle` and `crypto.randomUUID` do not exist. */
export const browserRandomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

/** A version 4 UUID from random bytes. */
export const uuidFrom = (randomBytes: (length: number) => Uint8Array): string => {
  const bytes = randomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
