import {
  type IntegerSetting,
  type PublicConfiguration,
  SETTINGS,
  type SettingDefinition,
  type SettingKey,
  type Settings,
  type SettingValue,
  settingSection,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { typeset } from '../../http/typeset.ts'
import type { Retention } from '../../samples/sample-store.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database } from '../../store/database.ts'
import { toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'

type Value = string | number | boolean
interface Changed {
  readonly atMs: number
  readonly by: string | null
}
interface Entry {
  readonly name: string
  readonly value: Value | null
  /** Undefined: no setting of this group is called so. */
  readonly key: SettingKey | undefined
}
const GROUP_NAMES = { configuration: 'Paramètres généraux', collect: 'Paramètres de collecte' } as const
const KEYS = Object.keys(SETTINGS).filter((key): key is SettingKey => Object.hasOwn(SETTINGS, key))
const definitionOf = (key: SettingKey): SettingDefinition => SETTINGS[key]

export interface SettingsService {
  /** In force now; kept in memory, read once at start. */
  current(): Settings
  list(group: SettingDefinition['group']): SettingValue[]
  /**
   * Changes all or nothing; null goes back to the default. `seenMs`: what was changed after it to another value is not
   * overwritten (409); null: nothing is looked at.
   */
  update(
    group: SettingDefinition['group'],
    values: Readonly<Record<string, Value | null>>,
    by: string,
    seenMs?: number | null,
  ): Promise<SettingValue[]>
  publicPart(): Omit<PublicConfiguration, 'logo'>
}

/** Settings of the platform: the contracts' table, the values that were chosen, and the defaults for the rest. */
export const createSettings = async (
  database: Database,
  changes: Changes,
  now: () => number,
): Promise<SettingsService> => {
  const chosen = new Map<SettingKey, Value>()
  const changed = new Map<SettingKey, Changed>()
  for (const row of await database.db.selectFrom('setting').selectAll().execute()) {
    const key = KEYS.find(one => one === row.key)
    const value: unknown = JSON.parse(row.value)
    if (key !== undefined) changed.set(key, { atMs: row.updated_at, by: row.updated_by })
    if (key !== undefined && fault(definitionOf(key), value) === null && isValue(value)) chosen.set(key, value)
  }
  const inForce = (key: SettingKey): Value => chosen.get(key) ?? definitionOf(key).default
  const read = (): Settings => allOf(Object.fromEntries(KEYS.map(key => [key, inForce(key)])))
  // Asked for at each call and each result that is judged.
  let known = read()
  const current = (): Settings => known
  const list = (group: SettingDefinition['group']): SettingValue[] =>
    KEYS.filter(key => definitionOf(key).group === group).map(key =>
      describe(key, definitionOf(key), inForce(key), chosen.has(key), changed.get(key)),
    )
  /** Two people who change the same one: the second is told, unless both want the same. */
  const refuseStale = (group: SettingDefinition['group'], entries: readonly Entry[], seenMs: number): void => {
    const [first, ...more] = entries.filter(
      ({ key, value }) =>
        key !== undefined && (changed.get(key)?.atMs ?? 0) > seenMs && value !== (chosen.get(key) ?? null),
    )
    if (first?.key === undefined) return
    const by = changed.get(first.key)?.by ?? null
    const names = [first, ...more].flatMap(({ key }) => (key === undefined ? [] : `« ${definitionOf(key).label} »`))
    throw conflict(`${names.join(', ')}${by === null ? '' : ` : changé entre-temps par ${by}`}.`, {
      current: list(group),
    })
  }

  const update: SettingsService['update'] = async (group, values, by, seenMs = null) => {
    const entries: Entry[] = Object.entries(values).map(([name, value]) => ({
      name,
      value,
      key: KEYS.find(key => key === name && definitionOf(key).group === group),
    }))
    const faults = entries.flatMap(({ name, value, key }) => {
      if (key === undefined) return [[name, 'Paramètre inconnu'] as const]
      const message = value === null ? null : fault(definitionOf(key), value)
      return message === null ? [] : [[name, message] as const]
    })
    if (faults.length > 0)
      throw invalid(
        faults.map(([name, message]) => `${name} : ${message}.`),
        Object.fromEntries(faults),
      )
    checkTogether({ ...current(), ...values })
    if (seenMs !== null) refuseStale(group, entries, seenMs)
    const before = Object.fromEntries(entries.map(({ name, key }) => [name, key === undefined ? null : inForce(key)]))
    const after = Object.fromEntries(
      entries.map(({ name, key, value }) => [name, key === undefined ? null : (value ?? definitionOf(key).default)]),
    )
    // Later than all that was seen, so that what is written now is told from it.
    const atMs = Math.max(now(), ...[...changed.values()].map(one => one.atMs + 1))
    await transaction(database.db, async trx => {
      for (const { key, value } of entries) {
        if (key === undefined) continue
        // Given back to its default, a row still says when and by whom.
        const row = { key, value: JSON.stringify(value), updated_at: atMs, updated_by: by }
        await trx
          .insertInto('setting')
          .values(row)
          .onConflict(conflict => conflict.column('key').doUpdateSet(row))
          .execute()
      }
      const line = { actor: by, object: `parameter ${group}`, name: GROUP_NAMES[group] }
      await auditChange(trx, { ...line, action: 'parameter-update', before, after }, now())
    })
    for (const { key, value } of entries) {
      if (key === undefined) continue
      if (value === null) chosen.delete(key)
      else chosen.set(key, value)
      changed.set(key, { atMs, by })
    }
    known = read()
    changes.emit({ entity: 'setting', ids: [], action: 'updated' })
    return list(group)
  }
  let turn: Promise<unknown> = Promise.resolve()

  return {
    current,
    list,
    update(...change) {
      // One after the other: what a change is compared with is then what it is written upon.
      const done = turn.then(() => update(...change))
      turn = done.then(
        () => undefined,
        () => undefined,
      )
      return done
    },
    publicPart() {
      const all = current()
      return {
        name: all.productName,
        documentationUrl: all.documentationUrl,
        contactUrl: all.contactUrl,
        passwordMinLength: all.passwordMinLength,
        passwordMaxLength: all.passwordMaxLength,
      }
    },
  }
}

/** How long the sample store is to keep measures. */
export const retentionOf = ({ rawDays, fiveMinutesDays, hourDays }: Settings): Retention => ({
  rawDays,
  fiveMinutesDays,
  hourDays,
})

/** The one cast: every key of the table is there, with a value that `fault` accepted for its type. */
const allOf = (values: Record<string, Value>): Settings => values as unknown as Settings
const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
const WEB = /^https?:\/\/[^\s/]+(\/\S*)?$/i
const LINK = /^(https?:\/\/[^\s]+|mailto:[^\s@]+@[^\s@]+)$/i

/** What is wrong with a value for its setting, null when it is accepted. */
const fault = (definition: SettingDefinition, value: unknown): string | null => {
  switch (definition.type) {
    case 'integer':
      return integerFault(definition, value)
    case 'boolean':
      return typeof value === 'boolean' ? null : 'vrai ou faux est attendu'
    case 'url':
      if (typeof value !== 'string' || value.length > definition.max)
        return `un texte de ${definition.max} caractères au plus est attendu`
      if (definition.web === true && value !== '' && !(WEB.test(value) && URL.canParse(value)))
        return 'une adresse en http:// ou https:// est attendue'
      return value === '' || (LINK.test(value) && URL.canParse(value))
        ? null
        : 'une adresse en http://, https:// ou mailto: est attendue'
    case 'text':
      if (typeof value !== 'string' || value.trim() === '' || value.length > definition.max || /\p{Cc}/u.test(value))
        return `un texte de 1 à ${definition.max} caractères est attendu`
      return null
    default:
      return definition satisfies never
  }
}
const integerFault = (definition: IntegerSetting, value: unknown): string | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= definition.min && value <= definition.max
    ? null
    : `un nombre entier de ${definition.min} à ${definition.max} est attendu`

const checkTogether = (all: Readonly<Record<string, Value | null>>): void => {
  const interval = Number(all.intervalSeconds ?? SETTINGS.intervalSeconds.default)
  const retry = Number(all.retryIntervalSeconds ?? SETTINGS.retryIntervalSeconds.default)
  const timeoutMs = Number(all.timeoutMs ?? SETTINGS.timeoutMs.default)
  const refuse = (field: string, message: string) => invalid([`${message}.`], { [field]: message })
  const start = Number(all.flappingStartPercent ?? SETTINGS.flappingStartPercent.default)
  if (Number(all.flappingEndPercent ?? SETTINGS.flappingEndPercent.default) > start)
    throw refuse('flappingEndPercent', 'La fin du bagotage ne peut dépasser son début')
  const days = (key: 'rawDays' | 'fiveMinutesDays' | 'hourDays') => Number(all[key] ?? SETTINGS[key].default)
  if (days('fiveMinutesDays') < days('rawDays'))
    throw refuse('fiveMinutesDays', 'Les moyennes de 5 minutes ne peuvent être gardées moins longtemps que les mesures')
  if (days('hourDays') < days('fiveMinutesDays'))
    throw refuse('hourDays', 'Les moyennes d’une heure ne peuvent être gardées moins longtemps que celles de 5 minutes')
  if (retry > interval)
    throw refuse('retryIntervalSeconds', "L'intervalle entre deux tentatives ne peut dépasser l'intervalle de contrôle")
  if (timeoutMs > retry * 1_000)
    throw refuse('timeoutMs', "Le délai d'attente ne peut dépasser l'intervalle entre deux tentatives")
}

const describe = (
  key: string,
  definition: SettingDefinition,
  value: Value,
  isChosen: boolean,
  changed: Changed | undefined,
): SettingValue => ({
  key,
  label: definition.label,
  help: typeset(definition.help),
  type: definition.type,
  unit: 'unit' in definition ? definition.unit : '',
  value,
  default: definition.default,
  min: 'min' in definition ? definition.min : null,
  max: 'max' in definition ? definition.max : null,
  origin: isChosen ? 'setting' : 'default',
  section: settingSection(key),
  updatedAt: changed === undefined ? null : toIso(changed.atMs),
  updatedBy: changed?.by ?? null,
})
