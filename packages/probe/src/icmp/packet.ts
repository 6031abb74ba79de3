/** Echo requests and what comes back, as bytes: ICMP (RFC 792) and ICMPv6 (RFC 4443). Pure. */
export type Family = 4 | 6

export const ICMP_HEADER = 8
/** Bytes at the start of the payload by which a reply is matched: a slot number and a random text. */
export const COOKIE_BYTES = 16

const REQUEST: Readonly<Record<Family, number>> = { 4: 8, 6: 128 }
const REPLY: Readonly<Record<Family, number>> = { 4: 0, 6: 129 }

/**
 * Writes an echo request with a payload of `size` bytes (≥ COOKIE_BYTES, whose cookie is already in place) and gives its
 * length. The kernel fills in the checksum of ICMPv6 and the identifier of datagram sockets.
 */
export const writeEcho = (
  packet: Buffer,
  family: Family,
  identifier: number,
  sequence: number,
  size: number,
): number => {
  const length = ICMP_HEADER + size
  packet[0] = REQUEST[family]
  packet[1] = 0
  packet.writeUInt16BE(0, 2)
  packet.writeUInt16BE(identifier, 4)
  packet.writeUInt16BE(sequence, 6)
  if (family === 4) packet.writeUInt16BE(checksum(packet, length), 2)
  return length
}

/** Internet checksum (RFC 1071) of the first `length` bytes. */
export const checksum = (bytes: Buffer, length: number): number => {
  let sum = 0
  for (let at = 0; at + 1 < length; at += 2) sum += bytes.readUInt16BE(at)
  if (length % 2 === 1) sum += (bytes[length - 1] ?? 0) << 8
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

export const ICMP_ERRORS = ['network', 'host', 'prohibited', 'port', 'ttl', 'tooBig', 'other'] as const
export type IcmpError = (typeof ICMP_ERRORS)[number]

/**
 * What was received: where the cookie is in the packet (−1 when the quote is too short for it), and for an error what it
 * says and the identifier and sequence of the echo that it quotes.
 */
export type Received =
  | { readonly kind: 'reply'; readonly cookieAt: number }
  | {
      readonly kind: 'error'
      readonly cookieAt: number
      readonly error: IcmpError
      readonly identifier: number
      readonly sequence: number
    }

/** Reads `length` bytes from `start`; `withHeader` says that an IPv4 header comes first (raw sockets). Null: not for us. */
export const readIcmp = (
  bytes: Buffer,
  start: number,
  length: number,
  family: Family,
  withHeader: boolean,
): Received | null => {
  const end = start + length
  const icmp = withHeader ? start + headerLength(bytes, start) : start
  if (icmp + ICMP_HEADER > end) return null
  const type = bytes[icmp] ?? 0
  if (type === REPLY[family]) {
    const cookieAt = icmp + ICMP_HEADER
    return cookieAt + COOKIE_BYTES > end ? null : { kind: 'reply', cookieAt }
  }
  const error = family === 4 ? errorOfV4(type, bytes[icmp + 1] ?? 0) : errorOfV6(type, bytes[icmp + 1] ?? 0)
  return error === null ? null : readQuote(bytes, icmp + ICMP_HEADER, end, family, error)
}

/** An error quotes the packet that caused it: its IP header, then at least its ICMP header. */
const readQuote = (bytes: Buffer, quote: number, end: number, family: Family, error: IcmpError): Received | null => {
  const echo = quote + (family === 4 ? headerLength(bytes, quote) : IPV6_HEADER)
  if (echo + ICMP_HEADER > end || bytes[echo] !== REQUEST[family]) return null
  const protocol = family === 4 ? bytes[quote + 9] : bytes[quote + 6]
  if (protocol !== (family === 4 ? 1 : 58)) return null
  const cookieAt = echo + ICMP_HEADER
  return {
    kind: 'error',
    error,
    cookieAt: cookieAt + COOKIE_BYTES > end ? -1 : cookieAt,
    identifier: bytes.readUInt16BE(echo + 4),
    sequence: bytes.readUInt16BE(echo + 6),
  }
}

const IPV6_HEADER = 40
const headerLength = (bytes: Buffer, at: number): number => ((bytes[at] ?? 0) & 15) * 4

/** Meaning of an ICMP type and code; null when it is no error about a packet of ours. */
export const errorOfV4 = (type: number, code: number): IcmpError | null => {
  if (type === 11) return 'ttl'
  if (type !== 3) return null
  if (code === 0 || code === 6) return 'network'
  if (code === 1 || code === 7) return 'host'
  if (code === 2 || code === 3) return 'port'
  if (code === 4) return 'tooBig'
  return code === 9 || code === 10 || code === 13 ? 'prohibited' : 'other'
}

export const errorOfV6 = (type: number, code: number): IcmpError | null => {
  if (type === 3) return 'ttl'
  if (type === 2) return 'tooBig'
  if (type !== 1) return null
  if (code === 0) return 'network'
  if (code === 3) return 'host'
  if (code === 4) return 'port'
  return code === 1 || code === 5 || code === 6 ? 'prohibited' : 'other'
}
