import type { Migration } from '../dialect.ts'

/** Tokens of unattended screens; one that shows a single site goes with it, so that it never shows more. */
export const displayTokens: Migration = {
  name: '0027-display-tokens',
  statements: t => [
    `create table display_token (id ${t.id}, name text not null, hash text not null unique,
      site_id ${t.int} references site(id) on delete cascade, created_at ${t.int} not null, created_by text,
      expires_at ${t.int} not null, last_used_at ${t.int}, last_address text not null default '')${t.end}`,
    'create index display_token_site on display_token (site_id)',
  ],
}
