import { createFrame, type Frame } from './frame.ts'
import { decodeJsonObject } from './message.ts'

const PROTOCOL_VERSIONS: ReadonlyMap<unknown, number> = new Map([['json', 1]])

/** Null when the first record of a client is a handshake that this server can follow, else why not. Never throws. */
export function handshakeFault(record: Uint8Array): string | null {
  const request = decodeJsonObject(record)
  if (request === null) return 'The handshake is a JSON object in UTF-8.'
  if ('type' in request) return 'The first message is a handshake.'
  const { protocol, version } = request
  if (typeof protocol !== 'string' || typeof version !== 'number') return 'A handshake has a protocol and a version.'
  const known = PROTOCOL_VERSIONS.get(protocol)
  if (known === undefined) return 'Only the protocol json is available.'
  return version === known ? null : 'Only the version 1 of the protocol json is available.'
}

export const HANDSHAKE_ACCEPTED: Frame = createFrame('{}')

export const encodeHandshakeError = (error: string): Frame => createFrame(JSON.stringify({ error }))
