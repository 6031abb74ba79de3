import type { Migration } from '../dialect.ts'

/**
 * What a metric was before each change, so that hours are counted without looking for the row before. Those that fall in
 * one millisecond are read by slices too: a cut-off has a hundred thousand.
 */
export const changeBefore: Migration = {
  name: '0023-change-before',
  statements: t => [
    `alter table metric_change add column before_rank ${t.int}`,
    'drop index metric_change_at',
    'create index metric_change_at on metric_change (at, metric_id)',
    'drop index host_change_at',
    'create index host_change_at on host_change (at, host_id)',
  ],
}
