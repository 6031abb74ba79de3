import { ruleStep } from '@narval/contracts'
import type { Db } from '../../store/database.ts'
import type { Change } from './history-fields.ts'

/** The lists that ids of a field are of. */
const REFERENCES = {
  siteId: 'site',
  parentId: 'site',
  hostId: 'host',
  parentIds: 'host',
  probeId: 'probe',
  scannerId: 'scanner',
  lifeScannerId: 'scanner',
  modelId: 'host_model',
  monitoringModelIds: 'monitoring_model',
  groups: 'user_group',
  siteIds: 'site',
  hostTypeIds: 'host_type',
  memberIds: 'probe',
  groupId: 'field_group',
} as const
/** Those within a step of a rule of notification. */
const STEP_REFERENCES = { accountIds: 'account', groupIds: 'user_group', channelIds: 'notification_channel' } as const
const STEP_FIELDS = ['accountIds', 'groupIds', 'channelIds'] as const
type Named =
  | (typeof REFERENCES)[keyof typeof REFERENCES]
  | (typeof STEP_REFERENCES)[keyof typeof STEP_REFERENCES]
  | 'site_type'
  | 'host_type'

const referenceOf = (object: string, field: string): Named | null => {
  if (field === 'typeId') return object === 'site' ? 'site_type' : 'host_type'
  const found = Object.entries(REFERENCES).find(([name]) => name === field)
  return found?.[1] ?? null
}

type Reference = readonly [table: Named, id: number]

const idsIn = (value: unknown): number[] => [value].flat().filter(id => typeof id === 'number')

/** The steps of a rule of notification; none of any other field. */
const stepsIn = (object: string, field: string, value: unknown) =>
  object === 'notification-rule' && field === 'steps' && Array.isArray(value)
    ? value.flatMap(one => {
        const read = ruleStep.safeParse(one)
        return read.success ? [read.data] : []
      })
    : []

const referencesIn = (object: string, field: string, value: unknown): Reference[] => {
  const table = referenceOf(object, field)
  if (table !== null) return idsIn(value).map(id => [table, id])
  return stepsIn(object, field, value).flatMap(step =>
    STEP_FIELDS.flatMap(name => step[name].map((id): Reference => [STEP_REFERENCES[name], id])),
  )
}

/** How a field's values are told by the names of what their ids stand for. */
export interface ValueNames {
  /** Names of one; null: its numbers are no ids. */
  of(object: string, field: string): ((id: number) => string) | null
  /** The steps of a rule of notification in words; null: it is none. */
  steps(object: string, field: string, value: unknown): string | null
}

/** Reads the names of what these changes refer to, of what still is: one question a list, whatever their number. */
export const readNames = async (
  db: Db,
  changes: readonly (Change & { readonly object: string })[],
): Promise<ValueNames> => {
  const wanted = new Map<Named, Set<number>>()
  for (const { object, field, before, after } of changes)
    for (const [table, id] of [before, after].flatMap(value => referencesIn(object, field, value)))
      wanted.set(table, (wanted.get(table) ?? new Set()).add(id))
  const found = new Map<Named, ReadonlyMap<number, string>>()
  for (const [table, ids] of wanted) found.set(table, await namesOf(db, table, [...ids].slice(0, 1_000)))
  const nameIn = (table: Named) => (id: number) => found.get(table)?.get(id) ?? `n° ${id}`
  return {
    of(object, field) {
      const table = referenceOf(object, field)
      return table === null ? null : nameIn(table)
    },
    steps(object, field, value) {
      const steps = stepsIn(object, field, value)
      if (steps.length === 0) return null
      return steps
        .map(({ afterMinutes, untilMinutes, accountIds, groupIds, channelIds }) => {
          const from = afterMinutes === 0 ? 'aussitôt' : `après ${afterMinutes}\u202fmin`
          const until = untilMinutes === null ? '' : ` jusqu’à ${untilMinutes}\u202fmin`
          const whom = [
            ...accountIds.map(nameIn('account')),
            ...groupIds.map(id => `groupe ${nameIn('user_group')(id)}`),
            `par ${channelIds.map(nameIn('notification_channel')).join(', ')}`,
          ]
          return `${from}${until}\u202f: ${whom.join(', ')}`
        })
        .join('\u202f; ')
    },
  }
}

const namesOf = async (db: Db, table: Named, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const rows =
    table === 'account'
      ? await db.selectFrom('account').select(['id', 'login as name']).where('id', 'in', ids).execute()
      : await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
