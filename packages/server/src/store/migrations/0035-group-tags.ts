import type { Migration } from '../dialect.ts'

/** A group's rights may be limited to the hosts that bear a tag, too; a tag is kept as it was written. */
export const groupTags: Migration = {
  name: '0035-group-tags',
  statements: t => [
    `create table user_group_tag (group_id ${t.int} not null references user_group(id) on delete cascade,
      tag text not null, primary key (group_id, tag))${t.end}`,
  ],
}
