import type { Migration } from '../dialect.ts'

/** The picture that stands beside the product's name instead of Narval's: one row at most, `id` 1. */
export const logo: Migration = {
  name: '0033-logo',
  statements: t => [`create table logo (id ${t.int} primary key, name text not null, png ${t.blob} not null)${t.end}`],
}
