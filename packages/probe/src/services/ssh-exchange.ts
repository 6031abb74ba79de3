import {
  createDiffieHellmanGroup,
  createECDH,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  verify,
} from 'node:crypto'
import { createFields, mpint, text } from './ssh-wire.ts'

/** One way to agree on a key: what is sent, and the secret made of what comes back. */
interface Agreement {
  readonly hash: string
  /** Integers on the wire for the groups of Diffie and Hellman, octets for curves. */
  readonly encode: (bytes: Buffer) => Buffer
  readonly begin: () => { readonly open: Buffer; readonly secret: (theirs: Buffer) => Buffer }
}

const X25519_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')
const x25519: Agreement = {
  hash: 'sha256',
  encode: text,
  begin: () => {
    const { publicKey, privateKey } = generateKeyPairSync('x25519')
    return {
      open: publicKey.export({ format: 'der', type: 'spki' }).subarray(X25519_PREFIX.length),
      secret: theirs => {
        const key = Buffer.concat([X25519_PREFIX, theirs])
        return diffieHellman({ privateKey, publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) })
      },
    }
  },
}
const curve = (name: string, hash: string): Agreement => ({
  hash,
  encode: text,
  begin: () => {
    const own = createECDH(name)
    return { open: own.generateKeys(), secret: theirs => own.computeSecret(theirs) }
  },
})
const group = (name: string, hash: string): Agreement => ({
  hash,
  encode: mpint,
  begin: () => {
    const own = createDiffieHellmanGroup(name)
    return { open: own.generateKeys(), secret: theirs => own.computeSecret(theirs) }
  },
})

/** Ways that we know, the best first; the last ones for equipment of another age, which is told that it is weak. */
export const AGREEMENTS: Readonly<Record<string, Agreement>> = {
  'curve25519-sha256': x25519,
  'curve25519-sha256@libssh.org': x25519,
  'ecdh-sha2-nistp256': curve('prime256v1', 'sha256'),
  'ecdh-sha2-nistp384': curve('secp384r1', 'sha384'),
  'ecdh-sha2-nistp521': curve('secp521r1', 'sha512'),
  'diffie-hellman-group16-sha512': group('modp16', 'sha512'),
  'diffie-hellman-group14-sha256': group('modp14', 'sha256'),
  'diffie-hellman-group14-sha1': group('modp14', 'sha1'),
  'diffie-hellman-group1-sha1': group('modp2', 'sha1'),
}

interface HostKeyKind {
  /** Null: the kind of key says it (Ed25519). */
  readonly hash: string | null
  readonly key: (blob: Buffer) => KeyObject
  readonly signature: (bytes: Buffer) => Buffer
}

const fromJwk = (key: JsonWebKey): KeyObject => createPublicKey({ key, format: 'jwk' })
const trimmed = (bytes: Buffer): string => bytes.subarray(bytes[0] === 0 ? 1 : 0).toString('base64url')

const ed25519: HostKeyKind = {
  hash: null,
  key: blob => {
    const fields = createFields(blob)
    fields.next()
    return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: fields.next().toString('base64url') })
  },
  signature: bytes => bytes,
}
const rsa = (hash: string): HostKeyKind => ({
  hash,
  key: blob => {
    const fields = createFields(blob)
    fields.next()
    const [e, n] = [fields.next(), fields.next()]
    return fromJwk({ kty: 'RSA', e: trimmed(e), n: trimmed(n) })
  },
  signature: bytes => bytes,
})
const ecdsa = (crv: string, size: number, hash: string): HostKeyKind => ({
  hash,
  key: blob => {
    const fields = createFields(blob)
    fields.next()
    fields.next()
    const point = fields.next()
    const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)]
    return fromJwk({ kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') })
  },
  // Two integers, brought to the fixed size that is verified (IEEE P1363).
  signature: bytes => {
    const fields = createFields(bytes)
    return Buffer.concat([fields.next(), fields.next()].map(part => fixed(part, size)))
  },
})
const fixed = (integer: Buffer, size: number): Buffer => {
  const bare = integer.subarray(Math.max(0, integer.length - size))
  return Buffer.concat([Buffer.alloc(size - bare.length), bare])
}

/** Kinds of host keys that we verify, the best first. */
export const HOST_KEYS: Readonly<Record<string, HostKeyKind>> = {
  'ssh-ed25519': ed25519,
  'ecdsa-sha2-nistp256': ecdsa('P-256', 32, 'sha256'),
  'ecdsa-sha2-nistp384': ecdsa('P-384', 48, 'sha384'),
  'ecdsa-sha2-nistp521': ecdsa('P-521', 66, 'sha512'),
  'rsa-sha2-512': rsa('sha512'),
  'rsa-sha2-256': rsa('sha256'),
  'ssh-rsa': rsa('sha1'),
}

/** All that both sides said, over which the server signs (RFC 4253, 8; RFC 8731). */
export interface Transcript {
  readonly clientVersion: string
  readonly serverVersion: string
  readonly clientInit: Buffer
  readonly serverInit: Buffer
  readonly hostKey: Buffer
  readonly clientOpen: Buffer
  readonly serverOpen: Buffer
}

/** Whether the server holds the host key that it shows: its signature over the whole exchange is right. */
export const isSignedBy = (
  agreement: Agreement,
  said: Transcript,
  secret: Buffer,
  algorithm: string,
  signature: Buffer,
): boolean => {
  const kind = HOST_KEYS[algorithm]
  if (kind === undefined) return false
  const hash = createHash(agreement.hash)
    .update(text(said.clientVersion))
    .update(text(said.serverVersion))
    .update(text(said.clientInit))
    .update(text(said.serverInit))
    .update(text(said.hostKey))
    .update(agreement.encode(said.clientOpen))
    .update(agreement.encode(said.serverOpen))
    .update(mpint(secret))
    .digest()
  const fields = createFields(signature)
  if (fields.next().toString('latin1') !== algorithm) return false
  const key = { key: kind.key(said.hostKey), dsaEncoding: 'ieee-p1363' } as const
  return verify(kind.hash, hash, key, kind.signature(fields.next()))
}

/** As `ssh-keygen -l` writes it. */
export const fingerprintOf = (hostKey: Buffer): string =>
  `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`
