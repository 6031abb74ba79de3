import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { type CheckFailure, failure } from '../failure.ts'
import { fr } from '../fr.ts'
import { type CertificateFacts, certificateFacts, certificateFailure } from './certificate.ts'

/** Certificates of a chain that are looked at: a hostile one may go round. */
const CHAIN_MAX = 10

/** The certificates that a service showed, its own first; empty when it showed none. */
export const peerChain = (socket: TLSSocket, nowMs: number): readonly CertificateFacts[] => {
  const chain: CertificateFacts[] = []
  const seen = new Set<string>()
  let current: X509Certificate | undefined = socket.getPeerX509Certificate()
  // A root is its own issuer.
  while (current !== undefined && chain.length < CHAIN_MAX && !seen.has(current.fingerprint256)) {
    seen.add(current.fingerprint256)
    chain.push(certificateFacts(current, nowMs))
    current = current.issuerCertificate
  }
  return chain
}

/**
 * Why the certificate of a connection does not verify, in words; null when its chain and name do. The connection must have
 * been made with the `host` or `servername` that the certificate is for: the library compares it; `name` is for people.
 */
export const peerFailure = (socket: TLSSocket, name: string, nowMs: number): CheckFailure | null => {
  if (socket.authorized) return null
  const code = String(socket.authorizationError)
  const known = certificateFailure(code, socket.getPeerX509Certificate() ?? null, name, nowMs)
  return known ?? failure('tls', fr.tls.invalid(code))
}
