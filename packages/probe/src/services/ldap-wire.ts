import { BerReader } from 'ldapts'

/** Answers of a directory (RFC 4511), read from whole messages. Pure. */

export type LdapAnswer =
  | { readonly kind: 'entry' | 'reference' | 'other'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly code: number; readonly message: string }

const INTEGER = 0x02
const ENUMERATED = 0x0a
const OCTETS = 0x04
/** Answers to a bind, a search, an extended operation. */
const RESULTS: ReadonlySet<number | null> = new Set([0x61, 0x65, 0x78])
const ENTRY = 0x64
const REFERENCE = 0x73

/** Reads what one message holds, without its outer head; null when it is no answer. */
export const parseAnswer = (body: Buffer): LdapAnswer | null => {
  try {
    const reader = new BerReader(body)
    const id = number(reader, INTEGER)
    const operation = reader.readSequence()
    if (operation === ENTRY) return { kind: 'entry', id }
    if (operation === REFERENCE) return { kind: 'reference', id }
    if (!RESULTS.has(operation)) return operation === null ? null : { kind: 'other', id }
    const code = number(reader, ENUMERATED)
    reader.readString(OCTETS)
    return { kind: 'result', id, code, message: reader.readString(OCTETS) ?? '' }
  } catch {
    return null
  }
}

const number = (reader: BerReader, tag: number): number => {
  const value = reader.readTag(tag)
  if (value === null) throw new RangeError('short')
  return value
}
