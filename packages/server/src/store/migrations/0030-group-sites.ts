import type { Migration } from '../dialect.ts'

/** A group's rights may be limited to sites; `limited` outlives them, so that a group whose sites are gone sees nothing. */
export const groupSites: Migration = {
  name: '0030-group-sites',
  statements: t => [
    `alter table user_group add column limited ${t.int} not null default 0`,
    `create table user_group_site (group_id ${t.int} not null references user_group(id) on delete cascade,
      site_id ${t.int} not null references site(id) on delete cascade, primary key (group_id, site_id))${t.end}`,
    'create index user_group_site_site on user_group_site (site_id)',
  ],
}
