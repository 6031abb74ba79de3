import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { answerText, PROBE_CLOCK_TOLERANCE_MS, PROBE_HEADERS, signedText } from '@narval/contracts'
import type { ProbeCaller, ProbeGuard, SignedRequest } from '../../http/caller.ts'
import type { Database } from '../../store/database.ts'
import type { ProbeRefusal, ProbeRefusals } from './probe-refusals.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const NONCE = /^[A-Za-z0-9_-]{16,64}$/
/** Nonces kept to refuse a replay: they live as long as a date is accepted. */
const MAX_NONCES = 200_000

const isProbeId = (id: number): boolean => Number.isSafeInteger(id) && id >= 1 && id <= 2_147_483_647

const header = (request: SignedRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

/** The server's own key, pinned by probes: PEM in the data folder, never in the database. */
export interface ServerKey {
  /** SPKI DER in base64. */
  readonly publicKey: string
  /** First 16 hex digits of the SHA-256 of the SPKI DER: carried by enrolment codes. */
  readonly fingerprint: string
  sign(text: string): string
}

export const readServerKey = (pem: string): ServerKey => {
  const key = createPrivateKey(pem)
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    publicKey: der.toString('base64'),
    fingerprint: sha256(der).slice(0, 16),
    sign: text => sign(null, Buffer.from(text), key).toString('base64'),
  }
}

/** What a person compares with what the probe says of its own key. */
export const keyFingerprint = (publicKey: string): string => sha256(Buffer.from(publicKey, 'base64')).slice(0, 16)

/** Null when the text is not an Ed25519 public key. */
export const readProbeKey = (publicKey: string): KeyObject | null => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

interface KnownProbe {
  readonly key: KeyObject
  readonly approval: ProbeCaller['state']
  readonly local: boolean
}

export interface ForgetfulProbeGuard extends ProbeGuard {
  /** To be called when a probe changed: its key and approval are read again. */
  forget(probeId: number): void
}

/** Verifies requests signed by probes: key, date within five minutes, nonce never seen, body untouched (S56). */
export const createProbeGuard = (
  database: Database,
  server: ServerKey,
  now: () => number,
  refusals: ProbeRefusals,
): ForgetfulProbeGuard => {
  const known = new Map<number, KnownProbe>()
  let forgotten = 0
  const nonces = new Map<string, number>()

  const find = async (id: number): Promise<KnownProbe | null> => {
    const cached = known.get(id)
    if (cached !== undefined) return cached
    const before = forgotten
    const row = await database.db
      .selectFrom('probe')
      .select(['public_key', 'approval', 'local'])
      .where('id', '=', id)
      .executeTakeFirst()
    const key = row === undefined ? null : readProbeKey(row.public_key)
    if (row === undefined || key === null) return null
    const approval = row.approval === 'approved' ? 'approved' : row.approval === 'revoked' ? 'revoked' : 'pending'
    const probe: KnownProbe = { key, approval, local: row.local === 1 }
    // What changed while it was read is read again: an old key or approval must not stay.
    if (before === forgotten) known.set(id, probe)
    return probe
  }

  const isReplay = (nonce: string): boolean => {
    const oldest = now() - 2 * PROBE_CLOCK_TOLERANCE_MS
    for (const [old, atMs] of nonces) {
      if (atMs > oldest && nonces.size < MAX_NONCES) break
      nonces.delete(old)
    }
    if (nonces.has(nonce)) return true
    nonces.set(nonce, now())
    return false
  }

  return {
    forget: probeId => {
      forgotten += 1
      known.delete(probeId)
    },
    async authenticate(request) {
      const id = Number(header(request, PROBE_HEADERS.probe))
      const date = header(request, PROBE_HEADERS.date)
      const nonce = header(request, PROBE_HEADERS.nonce)
      const signature = header(request, PROBE_HEADERS.signature)
      const refuse = (reason: ProbeRefusal, probeId: number | null = null): null => {
        refusals.note(probeId, reason, request.address, request.path)
        return null
      }
      if (!isProbeId(id) || !/^\d{1,15}$/.test(date) || !NONCE.test(nonce)) return refuse('malformed')
      const probe = await find(id)
      if (probe === null) return refuse('unknown')
      if (Math.abs(now() - Number(date)) > PROBE_CLOCK_TOLERANCE_MS) return refuse('clock', id)
      const text = signedText(request.method, request.path, date, nonce, sha256(request.body))
      if (!verify(null, Buffer.from(text), probe.key, Buffer.from(signature, 'base64'))) return refuse('signature', id)
      if (isReplay(`${id} ${nonce}`)) return refuse('replay', id)
      return { probeId: id, state: probe.approval, local: probe.local, nonce }
    },
    sign: (nonce, status, body) => server.sign(answerText(nonce, status, sha256(body))),
  }
}
