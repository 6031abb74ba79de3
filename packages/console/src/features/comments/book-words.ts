import { LOG_BOOK_EVENT_TEXTS, LOG_BOOK_KINDS, type LogBookEntry, type LogBookKind } from '@narval/contracts'
import { fr } from './log-book-fr.ts'

/** What a line says happened; of a probe, in its words. */
export const eventText = ({ kind, event }: Pick<LogBookEntry, 'kind' | 'event'>): string =>
  kind === 'probe' && (event === 'opened' || event === 'reopened' || event === 'closed')
    ? fr.probeEvents[event]
    : LOG_BOOK_EVENT_TEXTS[event]

/** The kind of lines that an address asks for alone; null for what is none: all are shown. */
export const bookKind = (text: string | null): LogBookKind | null => LOG_BOOK_KINDS.find(kind => kind === text) ?? null
