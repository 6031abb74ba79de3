import { createHmac, timingSafeEqual } from 'node:crypto'
import { CODE_DIGITS, CODE_PERIOD_MS } from '@narval/contracts'

/** Codes of an authenticator application: HOTP (RFC 4226) over the time (RFC 6238), SHA-1, six digits, 30 s. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes in base32 (RFC 4648), without padding. */
export const base32 = (bytes: Uint8Array): string => {
  let [text, bits, held] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >> (bits - 5)) & 31)
    held &= 255
  }
  return bits === 0 ? text : text + ALPHABET.charAt((held << (5 - bits)) & 31)
}

/** The bytes of such a text; null when it has a character of its own. */
export const fromBase32 = (text: string): Buffer | null => {
  const bytes: number[] = []
  let [bits, held] = [0, 0]
  for (const character of text) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) return null
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
  }
  return Buffer.from(bytes)
}

/** The code of a counter. */
export const hotp = (secret: Uint8Array, counter: number, digits: number = CODE_DIGITS): string => {
  const moving = Buffer.alloc(8)
  moving.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(moving).digest()
  const number = mac.readUInt32BE(mac.readUInt8(mac.length - 1) & 15) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** Which period of 30 s an instant (epoch ms) is in. */
export const stepAt = (atMs: number): number => Math.floor(atMs / CODE_PERIOD_MS)

/** The step, now or beside it, that a code is of; null when it is of none: the clocks may differ by 30 s. */
export const stepOf = (secret: Uint8Array, code: string, nowMs: number): number | null => {
  const present = stepAt(nowMs)
  return [present, present - 1, present + 1].find(step => step >= 0 && isSame(hotp(secret, step), code)) ?? null
}

const isSame = (right: string, given: string): boolean => {
  const [a, b] = [Buffer.from(right), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What the QR code tells an application (Key Uri Format); the issuer is the product's name. */
export const keyUri = (issuer: string, login: string, secret: string): string => {
  const [by, who] = [encodeURIComponent(issuer.replaceAll(':', ' ').trim()), encodeURIComponent(login)]
  return `otpauth://totp/${by}:${who}?secret=${secret}&issuer=${by}&algorithm=SHA1&digits=${CODE_DIGITS}&period=${CODE_PERIOD_MS / 1_000}`
}
