import type { DialectTypes, Migration } from '../dialect.ts'

/** The audit becomes the log: sealed in a chain, searched by words, seen by site; received messages have their line too. */
export const log: Migration = {
  name: '0031-log',
  statements: t => [
    `alter table audit add column kind text not null default 'audit'`,
    `alter table audit add column object_kind text not null default ''`,
    `alter table audit add column site_id ${t.int}`,
    `alter table audit add column event_id ${t.int} references received_event(id) on delete cascade`,
    `alter table audit add column words text not null default ''`,
    `alter table audit add column mark text not null default ''`,
    `alter table audit add column position ${t.int}`,
    `alter table audit add column seal text not null default ''`,
    'create index audit_at on audit (at, id)',
    'create index audit_kind on audit (kind, at, id)',
    'create index audit_action on audit (action, at, id)',
    'create index audit_object_kind on audit (object_kind, at, id)',
    'create index audit_site on audit (site_id, at, id)',
    'create index audit_event on audit (event_id) where event_id is not null',
    'create unique index audit_position on audit (position) where position > 0',
    'create index audit_unsealed on audit (id) where position is null',
    `create table audit_checkpoint (id ${t.int} primary key, position ${t.int} not null, seal text not null, at ${t.int} not null,
      mark text not null)${t.end}`,
    ...words(t),
  ],
}

/** The index of words: kept by triggers on SQLite, whose full text is a table of its own. */
const words = ({ dialect }: DialectTypes): string[] =>
  dialect === 'postgres'
    ? [`create index audit_words on audit using gin (array_to_tsvector(string_to_array(words, ' ')))`]
    : [
        `create virtual table audit_words using fts5 (words, content = 'audit', content_rowid = 'id', detail = none,
          prefix = '2 3', tokenize = 'unicode61 remove_diacritics 0')`,
        `create trigger audit_words_insert after insert on audit when new.words <> '' begin
          insert into audit_words (rowid, words) values (new.id, new.words); end`,
        `create trigger audit_words_update after update of words on audit begin
          insert into audit_words (audit_words, rowid, words) select 'delete', old.id, old.words where old.words <> '';
          insert into audit_words (rowid, words) select new.id, new.words where new.words <> ''; end`,
        `create trigger audit_words_delete after delete on audit when old.words <> '' begin
          insert into audit_words (audit_words, rowid, words) values ('delete', old.id, old.words); end`,
      ]
