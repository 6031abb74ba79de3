import type { Migration } from '../dialect.ts'

/** What is received: tokens of pushed values, and the messages that rules of traps and syslog matched. */
export const reception: Migration = {
  name: '0011-reception',
  statements: t => [
    `create table push_token (scanner_id ${t.int} primary key references scanner(id) on delete cascade, hash text not null unique,
      created_at ${t.int} not null, created_by text)${t.end}`,
    // `event_key` makes a batch that is judged again after a crash write nothing twice.
    `create table received_event (id ${t.id}, event_key text not null unique,
      scanner_id ${t.int} not null references scanner(id) on delete cascade,
      host_id ${t.int} not null references host(id) on delete cascade,
      kind text not null, severity_rank ${t.int} not null, at ${t.int} not null, source text not null, text text not null)${t.end}`,
    'create index received_event_scanner on received_event (scanner_id, id)',
    'create index received_event_host on received_event (host_id, at)',
    'create index received_event_at on received_event (at)',
  ],
}
