import { createCipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { type CheckCredential, SEAL_INFO, SEAL_NONCE_BYTES, sealBound } from '@narval/contracts'
import type { Database } from '../../store/database.ts'

/** What a probe may open and nobody else: credentials leave the server only sealed for the probe that needs them. */
export interface ProbeSeals {
  /** Keeps the key that a probe says, signed, that credentials are to be sealed for; true when it is another one. */
  learn(probeId: number, key: string): Promise<boolean>
  /** The function that seals for a probe: the same credential once. Without a key the credential is withheld. */
  sealer(probeId: number): Promise<Sealer>
}

export interface Sealer {
  readonly seal: (credential: CheckCredential) => CheckCredential
  /** Changes with the key: what was sealed for another one has to be given again. */
  readonly mark: string
}

export const createProbeSeals = (database: Database): ProbeSeals => {
  const known = new Map<number, string>()
  const keyOf = async (probeId: number): Promise<string> => {
    const held = known.get(probeId)
    if (held !== undefined) return held
    const row = await database.db.selectFrom('probe').select('seal_key').where('id', '=', probeId).executeTakeFirst()
    known.set(probeId, row?.seal_key ?? '')
    return row?.seal_key ?? ''
  }
  return {
    async learn(probeId, key) {
      if (key === (await keyOf(probeId)) || readSealKey(key) === null) return false
      await database.db.updateTable('probe').set({ seal_key: key }).where('id', '=', probeId).execute()
      known.set(probeId, key)
      return true
    },
    async sealer(probeId) {
      const key = await keyOf(probeId)
      const sealed = new Map<CheckCredential, CheckCredential>()
      const seal = (credential: CheckCredential): CheckCredential => {
        if (credential.kind === 'none' || credential.kind === 'sealed') return credential
        const made = sealed.get(credential) ?? sealFor(credential, key, probeId)
        sealed.set(credential, made)
        return made
      }
      return { seal, mark: key }
    },
  }
}

const WITHHELD: CheckCredential = { kind: 'none', reason: 'unreadable' }

/** In the form that `sealedBox` describes. */
const sealFor = (credential: CheckCredential, key: string, probeId: number): CheckCredential => {
  const recipient = readSealKey(key)
  if (recipient === null) return WITHHELD
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const ephemeral = publicKey.export({ format: 'der', type: 'spki' })
  const salt = Buffer.concat([ephemeral, Buffer.from(key, 'base64')])
  const shared = diffieHellman({ privateKey, publicKey: recipient })
  const cipherKey = Buffer.from(hkdfSync('sha256', shared, salt, SEAL_INFO, 32))
  const nonce = randomBytes(SEAL_NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce)
  cipher.setAAD(Buffer.from(sealBound(probeId)))
  const text = Buffer.concat([cipher.update(JSON.stringify(credential), 'utf8'), cipher.final(), cipher.getAuthTag()])
  const parts = [ephemeral, nonce, text].map(part => part.toString('base64url'))
  return { kind: 'sealed', box: parts.join('.') }
}

/** Null when the text is no X25519 public key. */
const readSealKey = (key: string) => {
  try {
    const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return read.asymmetricKeyType === 'x25519' ? read : null
  } catch {
    return null
  }
}
