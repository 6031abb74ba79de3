import type { Migration } from '../dialect.ts'

/**
 * The monitoring models that ship with Narval, by their lasting key. One that was deleted keeps its row without a model: it
 * does not come back by itself.
 */
export const shippedModels: Migration = {
  name: '0009-shipped-models',
  statements: t => [
    `create table shipped_model (key text primary key,
      model_id ${t.int} references monitoring_model(id) on delete set null)${t.end}`,
    'create index shipped_model_model on shipped_model (model_id)',
  ],
}
