import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { type CheckFailure, errorCode, failure } from '../failure.ts'
import { dayText, fr } from '../fr.ts'

const DAY_MS = 86_400_000
/** Certificates of a chain that are looked at. */
const CHAIN_MAX = 10

/** What people want to know of the certificate that a service presents. */
export interface CertificateFacts {
  /** Seconds until it expires; negative when it has. */
  readonly expiresInS: number
  /** The same for the first of its issuers to expire, roots excepted; null when the service sends none. */
  readonly chainExpiresInS: number | null
  readonly chain: readonly ChainLink[]
  /** DNS names and IP addresses that it is good for, separated by commas. */
  readonly names: string
  /** SHA-256 of the whole, in pairs of hexadecimal digits. */
  readonly fingerprint: string
}

interface ChainLink {
  readonly subject: string
  readonly issuer: string
  /** Date of its end, as `21/11/2026`. */
  readonly until: string
}

/** The facts of a connection that speaks TLS; null when no certificate was presented. */
export const certificateFacts = (socket: TLSSocket, nowMs: number): CertificateFacts | null => {
  const first = certificateOf(socket)
  if (first === undefined) return null
  const chain = chainOf(first)
  const leftS = (one: X509Certificate): number => Math.floor((one.validToDate.getTime() - nowMs) / 1_000)
  const issuers = chain.slice(1).filter(one => one.subject !== one.issuer)
  return {
    expiresInS: leftS(first),
    chainExpiresInS: issuers.length === 0 ? null : Math.min(...issuers.map(leftS)),
    chain: chain.map(one => ({
      subject: nameIn(one.subject),
      issuer: nameIn(one.issuer),
      until: dayText(one.validToDate.getTime()),
    })),
    names: (first.subjectAltName ?? '').replaceAll(/(?:DNS|IP Address):/g, ''),
    fingerprint: first.fingerprint256,
  }
}

const known = new WeakMap<TLSSocket, X509Certificate>()
/** Node 24 tells it once a connection, undefined the second time. */
const certificateOf = (socket: TLSSocket): X509Certificate | undefined => {
  const certificate = known.get(socket) ?? socket.getPeerX509Certificate()
  if (certificate !== undefined) known.set(socket, certificate)
  return certificate
}

const chainOf = (first: X509Certificate): readonly X509Certificate[] => {
  const chain: X509Certificate[] = []
  let next: X509Certificate | undefined = first
  while (
    next !== undefined &&
    chain.length < CHAIN_MAX &&
    !chain.some(one => one.fingerprint256 === next?.fingerprint256)
  ) {
    chain.push(next)
    next = next.issuerCertificate
  }
  return chain
}

/** The common name, else the whole on one line. */
const nameIn = (lines: string): string => /^CN=(.+)$/mu.exec(lines)?.[1] ?? lines.replaceAll('\n', ', ')

/** Why a certificate does not verify, in words; null when it does. */
export const certificateFailure = (socket: TLSSocket, hostname: string): CheckFailure | null => {
  if (socket.authorized) return null
  const error: unknown = socket.authorizationError
  const code = error instanceof Error ? errorCode(error) : String(error)
  const certificate = certificateOf(socket)
  if (code === 'CERT_HAS_EXPIRED' && certificate !== undefined)
    return failure('tls', fr.tls.expired(Math.floor((Date.now() - certificate.validToDate.getTime()) / DAY_MS)))
  return verdictFailure(code, hostname) ?? failure('tls', fr.tls.invalid(code))
}

/** A verdict on a certificate in words, by its code alone; null when the code is about something else. */
export const verdictFailure = (code: string, hostname: string): CheckFailure | null => {
  const words = wordsOf(code, hostname)
  return words === null ? null : failure('tls', words)
}

const wordsOf = (code: string, hostname: string): string | null => {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'certificat expiré'
    case 'CERT_NOT_YET_VALID':
      return fr.tls.notYet
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return fr.tls.selfSigned
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return fr.tls.unknownIssuer
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return fr.tls.wrongName(hostname)
    case 'CERT_REVOKED':
      return fr.tls.revoked
    default:
      return OTHER.has(code) ? fr.tls.invalid(code) : null
  }
}

/** Other verdicts of OpenSSL on a chain, as Node names them. */
const OTHER: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'CERT_SIGNATURE_FAILURE',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'CERT_CHAIN_TOO_LONG',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'INVALID_PURPOSE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
])
