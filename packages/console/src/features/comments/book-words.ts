import { LOG_BOOK_EVENT_TEXTS, type LogBookEntry } from '@narval/contracts'
import { fr } from './log-book-fr.ts'

/** What a line says happened; of a probe, in its words. */
export const eventText = ({ kind, event }: Pick<LogBookEntry, 'kind' | 'event'>): string =>
  kind === 'probe' && (event === 'opened' || event === 'reopened' || event === 'closed')
    ? fr.probeEvents[event]
    : LOG_BOOK_EVENT_TEXTS[event]
