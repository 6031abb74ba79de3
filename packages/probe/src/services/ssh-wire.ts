/** Packets of SSH before encryption (RFC 4253, 6 and 7): bytes in, values out. Pure; what is too short throws a RangeError. */

export const MESSAGE = { disconnect: 1, ignore: 2, debug: 4, keyInit: 20, exchangeInit: 30, exchangeReply: 31 } as const

/** Lists of names of a KEXINIT, in the order of the wire. */
const LISTS = [
  'exchange',
  'hostKey',
  'cipherOut',
  'cipherIn',
  'macOut',
  'macIn',
  'compressionOut',
  'compressionIn',
  'languageOut',
  'languageIn',
] as const
export type Offers = Readonly<Record<(typeof LISTS)[number], readonly string[]>>

const COOKIE_BYTES = 16

export const packet = (payload: Buffer): Buffer => {
  // The whole is a multiple of 8 bytes, with at least 4 of padding.
  const padding = 4 + ((8 - ((5 + payload.length + 4) % 8)) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head.writeUInt8(padding, 4)
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

export const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes.length)
  return Buffer.concat([head, bytes])
}

/** A positive integer of any length, big-endian. */
export const mpint = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex(byte => byte !== 0)
  const trimmed = first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
  return text((trimmed[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), trimmed]) : trimmed)
}

export const keyInit = (cookie: Buffer, offers: Offers): Buffer =>
  Buffer.concat([
    Buffer.from([MESSAGE.keyInit]),
    cookie,
    ...LISTS.map(name => text(offers[name].join(','))),
    Buffer.alloc(5),
  ])

export const parseKeyInit = (payload: Buffer): Offers => {
  const reader = createFields(payload.subarray(1 + COOKIE_BYTES))
  const lists = LISTS.map(name => [name, reader.next().toString('latin1').split(',').filter(Boolean)] as const)
  return { ...EMPTY, ...Object.fromEntries(lists) }
}

const EMPTY: Offers = {
  exchange: [],
  hostKey: [],
  cipherOut: [],
  cipherIn: [],
  macOut: [],
  macIn: [],
  compressionOut: [],
  compressionIn: [],
  languageOut: [],
  languageIn: [],
}

/** Reads fields that bear their length, one after the other. */
export const createFields = (bytes: Buffer): { readonly next: () => Buffer } => {
  let at = 0
  return {
    next: () => {
      const length = bytes.readUInt32BE(at)
      if (length > bytes.length - at - 4) throw new RangeError('field')
      at += 4 + length
      return bytes.subarray(at - length, at)
    },
  }
}

/** Algorithms that are broken or too short (RFC 8758, 9142, 8270; OpenSSH's own defaults). */
const WEAK: readonly RegExp[] = [
  /^diffie-hellman-group(?:1|14|-exchange)-sha1$/,
  /^(?:ssh-dss|ssh-rsa)(?:-cert-v0[01]@openssh\.com)?$/,
  /^(?:arcfour|3des|des|blowfish|cast128|idea|rc4|none)/,
  /-cbc(?:@|$)/,
  /^(?:hmac-md5|hmac-sha1-96|hmac-ripemd|none)/,
]

/** The weak ones among what a server offers, each once; MACs of ciphers that need none are not looked for. */
export const weakAlgorithms = ({ exchange, hostKey, cipherIn, cipherOut, macIn, macOut }: Offers): readonly string[] =>
  [...new Set([...exchange, ...hostKey, ...cipherIn, ...cipherOut, ...macIn, ...macOut])].filter(name =>
    WEAK.some(pattern => pattern.test(name)),
  )
