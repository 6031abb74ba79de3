import { createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto'
import type { OrdersReply } from '@narval/contracts'

/** The keys of a probe that opens what was sealed for it, written from the description of the wire alone. */
export const createTestSealing = () => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const own = publicKey.export({ format: 'der', type: 'spki' })
  const open = (box: string, probe: number): unknown => {
    const [ephemeral = own, nonce = own, text = own] = box.split('.').map(part => Buffer.from(part, 'base64url'))
    const shared = diffieHellman({
      privateKey,
      publicKey: createPublicKey({ key: ephemeral, format: 'der', type: 'spki' }),
    })
    const key = Buffer.from(
      hkdfSync('sha256', shared, Buffer.concat([ephemeral, own]), 'narval probe credential 1', 32),
    )
    const opener = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`probe ${probe}`))
    opener.setAuthTag(text.subarray(-16))
    return JSON.parse(Buffer.concat([opener.update(text.subarray(0, -16)), opener.final()]).toString())
  }
  return {
    key: own.toString('base64'),
    /** The reply with its credentials opened. */
    opened: (reply: OrdersReply, probe: number): OrdersReply =>
      JSON.parse(JSON.stringify(reply), (_, value) =>
        value?.kind === 'sealed' && typeof value.box === 'string' ? open(value.box, probe) : value,
      ),
  }
}
