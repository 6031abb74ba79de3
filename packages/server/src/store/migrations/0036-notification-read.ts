import type { Migration } from '../dialect.ts'

/** Notifications are searched by words, and read one group at a time. */
export const notificationRead: Migration = {
  name: '0036-notification-read',
  statements: t => [
    `alter table outbox add column text_folded text not null default ''`,
    `update outbox set text_folded = ${FOLDED}`,
    // Those read apart from the place up to which an account has read everything.
    `create table notification_read (account_id ${t.int} not null references account(id) on delete cascade,
      outbox_id ${t.int} not null references outbox(id) on delete cascade, primary key (account_id, outbox_id))${t.end}`,
    'create index notification_read_outbox on notification_read (outbox_id)',
  ],
}

/** What was told already, without case and the accents of French; SQLite lowers ASCII alone. */
const ACCENTS = { a: 'àâäÀÂÄ', c: 'çÇ', e: 'éèêëÉÈÊË', i: 'îïÎÏ', o: 'ôöÔÖ', u: 'ùûüÙÛÜ', oe: 'œŒ' } as const
const FOLDED = Object.entries(ACCENTS)
  .flatMap(([plain, accented]) => [...accented].map(letter => [letter, plain] as const))
  .reduce((column, [letter, plain]) => `replace(${column}, '${letter}', '${plain}')`, `lower(title || ' ' || message)`)
