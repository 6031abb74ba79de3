import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/database.ts'

/** Where the objects that entries are about lie, with what they are called now. */
const FROM: Readonly<Record<string, RawBuilder<{ id: number; name: string }>>> = {
  site: sql`select id, name from site`,
  'site-type': sql`select id, name from site_type`,
  host: sql`select id, name from host`,
  'host-type': sql`select id, name from host_type`,
  'host-model': sql`select id, name from host_model`,
  metric: sql`select id, name from metric`,
  scanner: sql`select id, name from scanner`,
  probe: sql`select id, name from probe`,
  'probe-group': sql`select id, name from probe_group`,
  'monitoring-model': sql`select id, name from monitoring_model`,
  'notification-channel': sql`select id, name from notification_channel`,
  'notification-rule': sql`select id, name from notification_rule`,
  'discovery-range': sql`select id, name from discovery_range`,
  incident: sql`select id, information as name from incident`,
  maintenance: sql`select id, comment as name from maintenance`,
  delivery: sql`select id, subject as name from delivery`,
  account: sql`select id, login as name from account`,
  'user-group': sql`select id, name from user_group`,
}
const IDS_AT_ONCE = 500

/** Names of the objects that are still there, by `host 12`. */
export const readObjects = async (
  db: Db,
  objects: readonly { readonly objectKind: string; readonly objectId: number | null }[],
): Promise<ReadonlyMap<string, string>> => {
  const wanted = new Map<string, Set<number>>()
  for (const { objectKind, objectId } of objects)
    if (objectId !== null && Object.hasOwn(FROM, objectKind))
      wanted.set(objectKind, (wanted.get(objectKind) ?? new Set()).add(objectId))
  const names = new Map<string, string>()
  for (const [kind, set] of wanted) {
    const ids = [...set]
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = sql.join(ids.slice(at, at + IDS_AT_ONCE))
      const { rows } = await sql<{ id: number; name: string }>`${FROM[kind] ?? sql``} where id in (${some})`.execute(db)
      for (const { id, name } of rows) names.set(`${kind} ${id}`, name)
    }
  }
  return names
}
