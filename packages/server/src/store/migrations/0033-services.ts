import type { Migration } from '../dialect.ts'

/** Sizes of the stores, hour by hour, from which their growth is told; and a mark that is written to see that writing works. */
export const services: Migration = {
  name: '0033-services',
  statements: t => [
    `create table storage_size (at ${t.int} primary key, bytes ${t.int} not null, free_bytes ${t.int})${t.end}`,
    `create table service_mark (name text primary key, at ${t.int} not null)${t.end}`,
  ],
}
