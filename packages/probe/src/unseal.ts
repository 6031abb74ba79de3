import { createDecipheriv, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto'
import {
  type CheckCredential,
  checkCredential,
  type ProbeCheck,
  SEAL_INFO,
  SEAL_NONCE_BYTES,
  SEAL_TAG_BYTES,
  sealBound,
} from '@narval/contracts'
import type { Identity } from './identity.ts'

const UNREADABLE: CheckCredential = { kind: 'none', reason: 'unreadable' }

/**
 * Opens what the server sealed for this probe (`sealedBox`): kept sealed on disk, opened in memory only. What does not open
 * is unreadable, and its checks say so.
 */
export const unseal = (credential: CheckCredential, { enrolled, sealing }: Identity): CheckCredential => {
  if (credential.kind !== 'sealed' || enrolled === null) return credential
  try {
    const [ephemeral, nonce, sealed] = credential.box.split('.').map(part => Buffer.from(part, 'base64url'))
    if (ephemeral === undefined || nonce?.length !== SEAL_NONCE_BYTES || sealed === undefined) return UNREADABLE
    const publicKey = createPublicKey({ key: ephemeral, format: 'der', type: 'spki' })
    const salt = Buffer.concat([ephemeral, Buffer.from(sealing.publicKey, 'base64')])
    const shared = diffieHellman({ privateKey: sealing.privateKey, publicKey })
    const key = Buffer.from(hkdfSync('sha256', shared, salt, SEAL_INFO, 32))
    const opener = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: SEAL_TAG_BYTES })
    opener.setAAD(Buffer.from(sealBound(enrolled.probe)))
    opener.setAuthTag(sealed.subarray(sealed.length - SEAL_TAG_BYTES))
    const text = Buffer.concat([opener.update(sealed.subarray(0, -SEAL_TAG_BYTES)), opener.final()]).toString('utf8')
    const parsed = checkCredential.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

/** A check with its credential opened; `cache` opens what many share once. */
export const unsealCheck = (
  check: ProbeCheck,
  identity: Identity,
  cache: Map<string, CheckCredential> = new Map(),
): ProbeCheck => {
  const { credential } = check
  if (credential?.kind !== 'sealed') return check
  const opened = cache.get(credential.box) ?? unseal(credential, identity)
  cache.set(credential.box, opened)
  return { ...check, credential: opened }
}
