import { sealingOf } from './audit-seal.ts'
import { auditWords } from './audit-words.ts'
import type { Db } from './database.ts'

interface Message {
  readonly id: number
  readonly host_id: number
  readonly at: number
  readonly source: string
  readonly text: string
  readonly host: { readonly name: string; readonly site: { readonly id: number } } | undefined
}

/** Text of a message that the search looks at. */
const SEARCHED = 2_000

/**
 * Gives received messages their line of the log: it goes with the message, whose text is kept once. They are not sealed:
 * whoever may send any writes what he likes, and each host's are limited in number.
 */
export const logMessages = async (trx: Db, messages: readonly Message[]): Promise<void> => {
  if (messages.length === 0) return
  const rows = messages.map(({ id, host_id, at, source, text, host }) => {
    const shown = { kind: 'event', actor: null, address: source, action: 'message', object: `message ${id}` }
    const words = auditWords({ ...shown, detail: JSON.stringify({ name: host?.name, text: text.slice(0, SEARCHED) }) })
    return {
      ...{ ...shown, at, words, object_kind: 'message', outcome: 'received' },
      detail: JSON.stringify({ name: host?.name, hostId: host_id }),
      ...{ site_id: host?.site.id ?? null, event_id: id, position: 0 },
    }
  })
  await trx.insertInto('audit').values(rows).execute()
  sealingOf(trx).onWritten()
}
