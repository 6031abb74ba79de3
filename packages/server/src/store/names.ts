import { fold } from '@narval/contracts'
import { conflict } from '../http/refusal.ts'
import type { Db } from './database.ts'

/** Tables in which a name is there once, whatever its case and accents. */
type Named =
  | 'field_group'
  | 'host_type'
  | 'monitoring_model'
  | 'notification_channel'
  | 'notification_rule'
  | 'probe_group'
  | 'site_type'
  | 'user_group'

/** The name, as it is written there, of the other row that has this one; null when it is free. */
export const namesakeOf = async (db: Db, table: Named, name: string, except: number): Promise<string | null> => {
  const held = await db
    .selectFrom(table)
    .select('name')
    .where('name_folded', '=', fold(name))
    .where('id', '!=', except)
    .executeTakeFirst()
  return held?.name ?? null
}

/** Types of equipment as they are written, by id. */
export const hostTypeNames = async (db: Db): Promise<ReadonlyMap<number, string>> => {
  const rows = await db.selectFrom('host_type').select(['id', 'name']).execute()
  return new Map(rows.map(row => [row.id, row.name]))
}

/** @throws a conflict, said by `sentence`, when another row than `except` (0: any) has the name. */
export const requireFreeName = async (
  db: Db,
  table: Named,
  name: string,
  except: number,
  sentence: (held: string) => string,
): Promise<void> => {
  const held = await namesakeOf(db, table, name, except)
  if (held !== null) throw conflict(sentence(held), { fields: { name: 'Ce nom est déjà pris.' } })
}
