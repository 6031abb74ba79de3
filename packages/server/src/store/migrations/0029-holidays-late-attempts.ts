import type { Migration } from '../dialect.ts'

/** What a site does on public holidays; and from when on failures that came late are believed, those known so far from the first. */
export const holidaysLateAttempts: Migration = {
  name: '0029-holidays-late-attempts',
  statements: t => [
    'alter table site add column holidays text',
    `alter table host_late add column failures text not null default ''`,
    `alter table host_late add column confirmed_at ${t.int}`,
    'update host_late set confirmed_at = from_at where good = 0',
  ],
}
