import type { Db } from './database.ts'

/** The models that ship and are still there, by their lasting key, under the names that people gave them since. */
export const readShippedModels = async (db: Db): Promise<{ key: string; id: number; name: string }[]> =>
  db
    .selectFrom('shipped_model')
    .innerJoin('monitoring_model', 'monitoring_model.id', 'shipped_model.model_id')
    .select(['shipped_model.key', 'monitoring_model.id', 'monitoring_model.name'])
    .orderBy('shipped_model.key')
    .execute()
