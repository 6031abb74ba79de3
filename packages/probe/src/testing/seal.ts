import { createCipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import type { CheckCredential } from '@narval/contracts'

/** Seals as a server does, written from the description of the wire alone and not from the server's code. */
export const sealFor = (credential: CheckCredential, sealKey: string, probe: number): CheckCredential => {
  const ephemeral = generateKeyPairSync('x25519')
  const ephemeralDer = ephemeral.publicKey.export({ format: 'der', type: 'spki' })
  const recipientDer = Buffer.from(sealKey, 'base64')
  const publicKey = createPublicKey({ key: recipientDer, format: 'der', type: 'spki' })
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey })
  const salt = Buffer.concat([ephemeralDer, recipientDer])
  const key = Buffer.from(hkdfSync('sha256', shared, salt, 'narval probe credential 1', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`probe ${probe}`))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(credential)), cipher.final(), cipher.getAuthTag()])
  return { kind: 'sealed', box: [ephemeralDer, nonce, sealed].map(part => part.toString('base64url')).join('.') }
}
