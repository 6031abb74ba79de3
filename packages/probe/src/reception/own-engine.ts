import { createHash } from 'node:crypto'
import type { EngineClock } from '../snmp/usm-keys.ts'
import type { OwnEngine } from './trap-receiver.ts'

/** Enterprise number kept for examples (RFC 5612), with the mark of RFC 3411 and « octets »: Narval has none of its own. */
const PREFIX = Buffer.from([0x80, 0x00, 0x7e, 0xd9, 0x05])
const ENGINES_MAX = 10_000
const WINDOW_S = 150
const LAST_BOOT = 0x7fff_ffff

/** Our SNMPv3 engine: the same id at each start, one boot more each time. `seed` tells this probe from another one. */
export const createOwnEngine = (seed: string, boots: number, nowMs: () => number): OwnEngine => {
  const startedMs = nowMs()
  const known = new Map<string, EngineClock & { readonly atMs: number }>()
  return {
    id: Buffer.concat([PREFIX, createHash('sha256').update(seed).digest().subarray(0, 12)]),
    clock: () => ({ boots, time: Math.floor((nowMs() - startedMs) / 1_000) }),
    isFresh: (engineId, { boots: theirs, time }) => {
      const key = engineId.toString('hex')
      const last = known.get(key)
      if (theirs >= LAST_BOOT) return false
      if (last !== undefined) {
        const expected = last.time + Math.floor((nowMs() - last.atMs) / 1_000)
        if (theirs < last.boots || (theirs === last.boots && time < expected - WINDOW_S)) return false
        if (theirs === last.boots && time <= expected) return true
      }
      const oldest = known.keys().next()
      if (last === undefined && known.size >= ENGINES_MAX && oldest.done !== true) known.delete(oldest.value)
      known.set(key, { boots: theirs, time, atMs: nowMs() })
      return true
    },
  }
}
