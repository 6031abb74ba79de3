import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type CheckResult, enrollReply, PROBE_HEADERS, PROBE_PROTOCOL, signedText } from '@narval/contracts'

export interface WireProbe {
  readonly id: number
  /** Posts a batch of the live lane under this sequence; the status, 0 when the server could not be reached. */
  post(sequence: number, results: readonly CheckResult[]): Promise<number>
}

/** A probe reduced to its wire: enrolled by a code, signing with a key of its own over real HTTP. */
export const enrolWireProbe = async (url: string, code: string): Promise<WireProbe> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const enrolled = await fetch(`${url}/api/Probe/Enroll`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      protocol: PROBE_PROTOCOL,
      code,
      name: 'Sonde d’essai',
      version: '1',
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    }),
  })
  const { probe } = enrollReply.parse(await enrolled.json())
  const bootId = randomBytes(16).toString('hex')
  const path = '/api/Probe/Results'
  return {
    id: probe,
    async post(sequence, results) {
      const body = JSON.stringify({ bootId, lane: 'live', sequence, sentAt: Date.now(), results })
      const nonce = randomBytes(16).toString('base64url')
      const date = String(Date.now())
      const text = signedText('POST', path, date, nonce, createHash('sha256').update(body).digest('hex'))
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          [PROBE_HEADERS.probe]: String(probe),
          [PROBE_HEADERS.date]: date,
          [PROBE_HEADERS.nonce]: nonce,
          [PROBE_HEADERS.signature]: sign(null, Buffer.from(text), privateKey).toString('base64'),
        },
      }).catch(() => null)
      return response?.status ?? 0
    },
  }
}
