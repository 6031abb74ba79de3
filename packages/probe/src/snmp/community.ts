import { berElement, berInteger, berOctets, TAG } from './ber.ts'
import { type Dialect, ignored } from './dialect.ts'
import { decodePdu, encodePdu, openMessage, PDU } from './pdu.ts'
import { words } from './snmp-words.ts'

/** v1 and v2c: the community in clear, in the question and in its answer. */
export const communityDialect = (version: 'v1' | 'v2c', community: string): Dialect => {
  const number = version === 'v1' ? 0 : 1
  const name = Buffer.from(community)
  return {
    version: version === 'v1' ? 1 : 2,
    encode: pdu => berElement(TAG.sequence, berInteger(number), berOctets(name), encodePdu(pdu)),
    decode: bytes => {
      const { version: theirs, body } = openMessage(bytes)
      if (theirs !== number || !body.octets().equals(name)) return ignored('foreign')
      const pdu = decodePdu(body)
      return pdu.tag === PDU.response ? { kind: 'answer', pdu } : ignored('foreign')
    },
    silence: words.silent,
  }
}
