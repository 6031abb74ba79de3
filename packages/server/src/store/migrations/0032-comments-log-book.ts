import type { Migration } from '../dialect.ts'

/** Comments are searched, read up to a place of each account's own, and name people; the log book and its hand-over notes. */
export const commentsLogBook: Migration = {
  name: '0032-comments-log-book',
  statements: t => [
    `alter table comment add column text_folded text not null default ''`,
    `update comment set text_folded = ${FOLDED}`,
    'create index comment_created on comment (created_at, id)',
    `alter table account add column comments_through ${t.int} not null default 0`,
    'update account set comments_through = coalesce((select max(id) from comment), 0)',
    `create table comment_mention (comment_id ${t.int} not null references comment(id) on delete cascade,
      account_id ${t.int} not null references account(id) on delete cascade, primary key (comment_id, account_id))${t.end}`,
    'create index comment_mention_account on comment_mention (account_id, comment_id)',
    `create index incident_event_at on incident_event (at, id) where kind in ${SHIFT_EVENTS}`,
    'create index maintenance_run_ended on maintenance_run (ended_at, id) where ended_at is not null',
    // Written by hand; a note outlives its site, and is then read by who sees all.
    `create table log_book_note (id ${t.id}, at ${t.int} not null, site_id ${t.int} references site(id) on delete set null,
      text text not null, author_id ${t.int} references account(id) on delete set null, author text not null,
      edited_at ${t.int}, created_at ${t.int} not null, updated_at ${t.int} not null, updated_by text)${t.end}`,
    'create index log_book_note_at on log_book_note (at, id)',
    'create index log_book_note_site on log_book_note (site_id) where site_id is not null',
    'create index log_book_note_author on log_book_note (author_id) where author_id is not null',
    // `limited`: it is about its sites alone, and outlives them: nobody but who sees all reads what is about none any more.
    `create table handover (id ${t.id}, from_at ${t.int} not null, to_at ${t.int} not null, text text not null,
      limited ${t.int} not null, author_id ${t.int} references account(id) on delete set null, author text not null,
      signed_at ${t.int} not null)${t.end}`,
    'create index handover_signed on handover (signed_at, id)',
    'create index handover_author on handover (author_id) where author_id is not null',
    `create table handover_site (handover_id ${t.int} not null references handover(id) on delete cascade,
      site_id ${t.int} not null references site(id) on delete cascade, primary key (handover_id, site_id))${t.end}`,
    'create index handover_site_site on handover_site (site_id)',
    `create table handover_reading (id ${t.id}, handover_id ${t.int} not null references handover(id) on delete cascade,
      reader_id ${t.int} references account(id) on delete set null, reader text not null, at ${t.int} not null)${t.end}`,
    'create unique index handover_reading_once on handover_reading (handover_id, reader_id)',
    'create index handover_reading_at on handover_reading (at, id)',
    'create index handover_reading_reader on handover_reading (reader_id) where reader_id is not null',
  ],
}

/** What of incidents a log book tells. */
const SHIFT_EVENTS =
  "('opened', 'reopened', 'closed', 'acknowledged', 'unacknowledged', 'acknowledgement-expired', 'owned')"

/** Comments that are there already, without case and the accents of French; SQLite lowers ASCII alone. */
const ACCENTS = { a: 'àâäÀÂÄ', c: 'çÇ', e: 'éèêëÉÈÊË', i: 'îïÎÏ', o: 'ôöÔÖ', u: 'ùûüÙÛÜ', oe: 'œŒ' } as const
const FOLDED = Object.entries(ACCENTS)
  .flatMap(([plain, accented]) => [...accented].map(letter => [letter, plain] as const))
  .reduce((column, [letter, plain]) => `replace(${column}, '${letter}', '${plain}')`, 'lower(text)')
