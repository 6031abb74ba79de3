import type { Migration } from '../dialect.ts'

/** What an account chooses for itself: a second factor, its own picture, how dense lists are, its quiet hours. */
export const ownAccount: Migration = {
  name: '0034-own-account',
  statements: t => [
    `create table second_factor (account_id ${t.int} primary key references account(id) on delete cascade,
      secret text not null, confirmed_at ${t.int}, last_step ${t.int} not null default 0,
      created_at ${t.int} not null)${t.end}`,
    `create table recovery_code (hash text primary key, account_id ${t.int} not null references account(id) on delete cascade,
      used_at ${t.int})${t.end}`,
    'create index recovery_code_account on recovery_code (account_id)',
    `create table login_challenge (hash text primary key, account_id ${t.int} not null references account(id) on delete cascade,
      uuid text not null, device text not null, password text not null, tries ${t.int} not null default 0,
      expires_at ${t.int} not null)${t.end}`,
    'create index login_challenge_account on login_challenge (account_id)',
    `create table account_picture (account_id ${t.int} primary key references account(id) on delete cascade,
      name text not null unique, png ${t.blob} not null)${t.end}`,
    `alter table account add column density text not null default 'comfortable'`,
    'alter table alert_setting add column quiet text',
  ],
}
