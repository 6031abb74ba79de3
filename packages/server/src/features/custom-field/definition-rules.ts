import { FIELD_CHOICE_SEPARATOR, type FieldDefinitionInput, type FieldType } from '@narval/contracts'
import { sql } from 'kysely'
import { conflict, invalid, invalidField } from '../../http/refusal.ts'
import type { Db } from '../../store/database.ts'
import { checkValue, hasChoices, hasPattern } from '../../store/field-check.ts'
import { type FieldDef, isNumeric, isReference } from '../../store/field-definitions.ts'
import { findReference, readModelFields } from '../../store/field-effective.ts'
import { compilePattern } from '../../store/field-pattern.ts'

/** Types whose values are right as they lie for a wider one. */
const WIDENINGS: Partial<Readonly<Record<FieldType, readonly FieldType[]>>> = {
  integer: ['decimal'],
  text: ['long-text'],
  url: ['text', 'long-text'],
  email: ['text', 'long-text'],
  phone: ['text', 'long-text'],
  ip: ['text', 'long-text'],
  mac: ['text', 'long-text'],
  choice: ['text', 'long-text'],
}

/** Refuses a definition that contradicts itself, each fault beside its field (400). */
export const checkDefinition = async (db: Db, input: FieldDefinitionInput): Promise<void> => {
  const faults = { ...shapeFaults(input), ...(await referenceFaults(db, input)) }
  const sentences = Object.values(faults)
  if (sentences.length > 0)
    throw invalid(
      sentences.map(text => `${text}.`),
      faults,
    )
}

const shapeFaults = (input: FieldDefinitionInput): Record<string, string> => {
  const faults: Record<string, string> = {}
  const say = (field: string, when: boolean, text: string): void => {
    if (when) faults[field] ??= text
  }
  const { type, min, max, choices, regex } = input
  const numeric = isNumeric(type)
  say('min', !numeric && (min !== null || max !== null), 'Des bornes ne vont qu’avec un nombre')
  say('max', min !== null && max !== null && max < min, 'Le maximum doit être supérieur au minimum')
  say('unit', !numeric && input.unit !== '', 'Une unité ne va qu’avec un nombre')
  say('choices', hasChoices(type) && choices.length === 0, 'Au moins un choix est attendu')
  say('choices', !hasChoices(type) && choices.length > 0, 'Des choix ne vont qu’avec un champ à choix')
  say('choices', new Set(choices).size !== choices.length, 'Deux choix sont les mêmes')
  say(
    'choices',
    type === 'multiple-choice' && choices.some(one => one.includes(FIELD_CHOICE_SEPARATOR.trim())),
    'Un choix parmi plusieurs ne peut pas contenir de virgule',
  )
  say('regex', regex !== '' && !hasPattern(type), 'Une forme ne va qu’avec un texte')
  say(
    'regex',
    regex !== '' && compilePattern(regex) === null,
    'Cette expression n’est pas utilisable (ni « (?= », ni référence arrière, ni répétitions trop longues)',
  )
  say('defaultValue', type === 'secret' && input.defaultValue !== '', 'Un secret n’a pas de valeur par défaut')
  if (input.defaultValue !== '' && Object.keys(faults).length === 0 && !isReference(type)) {
    const checked = checkValue(input, input.defaultValue)
    say('defaultValue', 'fault' in checked, 'fault' in checked ? checked.fault : '')
  }
  return faults
}

const referenceFaults = async (db: Db, input: FieldDefinitionInput): Promise<Record<string, string>> => {
  const faults: Record<string, string> = {}
  const group = await db.selectFrom('field_group').select('id').where('id', '=', input.groupId).executeTakeFirst()
  if (group === undefined) faults.groupId = "Ce groupe de champs n'existe pas"
  if (input.types.length > 0) {
    const table = input.scope === 'host' ? 'host_type' : 'site_type'
    const found = await db.selectFrom(table).select('id').where('id', 'in', input.types).execute()
    if (found.length !== new Set(input.types).size) faults.types = "Un de ces types n'existe pas"
  }
  if (isReference(input.type) && input.defaultValue !== '') {
    if ((await findReference(db, input.type, input.defaultValue)) === null)
      faults.defaultValue = 'Ce à quoi la valeur par défaut renvoie n’existe pas'
  }
  return faults
}

/** What values forbid of a change: another key ever, another type or scope, and choices that are in use. */
export const checkChange = async (db: Db, before: FieldDef, input: FieldDefinitionInput): Promise<void> => {
  if (input.key !== before.key) throw invalidField('key', 'La clé d’un champ ne change jamais.')
  const held = await countValues(db, before)
  if (held > 0 && input.scope !== before.scope)
    throw conflict(`Ce champ a déjà ${held} valeur${held > 1 ? 's' : ''} : ce qu’il décrit ne change plus.`, {
      fields: { scope: 'Ce champ a déjà des valeurs' },
    })
  if (held > 0 && input.type !== before.type && WIDENINGS[before.type]?.includes(input.type) !== true)
    throw conflict(`Ce champ a déjà ${held} valeur${held > 1 ? 's' : ''} : son type ne change plus ainsi.`, {
      fields: { type: 'Ce champ a déjà des valeurs' },
    })
  if (hasChoices(input.type)) await checkChoices(db, before, input.choices)
}

const checkChoices = async (db: Db, before: FieldDef, choices: readonly string[]): Promise<void> => {
  const gone = before.choices.filter(choice => !choices.includes(choice))
  for (const choice of gone) {
    const count = (await holdersOf(db, before, choice)) + (await modelsWith(db, before, choice))
    if (count > 0) {
      const sentence = `Le choix « ${choice} » est utilisé ${count} fois : il ne peut pas être retiré.`
      throw conflict(sentence, { fields: { choices: sentence.slice(0, -1) } })
    }
  }
}

const holdersOf = async (db: Db, definition: FieldDef, choice: string): Promise<number> => {
  const rows = await db
    .selectFrom('field_value')
    .select(['value', eb => eb.fn.countAll<number>().as('n')])
    .where('definition_id', '=', definition.id)
    .groupBy('value')
    .execute()
  return rows.filter(row => isOrHolds(row.value, choice, definition.type)).reduce((sum, row) => sum + Number(row.n), 0)
}
const isOrHolds = (value: string, choice: string, type: FieldType): boolean => {
  if (type !== 'multiple-choice') return value === choice
  const chosen: unknown = JSON.parse(value)
  return Array.isArray(chosen) && chosen.includes(choice)
}
const modelsWith = async (db: Db, definition: FieldDef, choice: string): Promise<number> =>
  (await readModelFields(db)).filter(({ fields }) => {
    const value = Object.hasOwn(fields, definition.key) ? fields[definition.key] : null
    return Array.isArray(value) ? value.includes(choice) : value === choice
  }).length

/** Records, and monitoring models, that have a value of it. */
const countValues = async (db: Db, definition: FieldDef): Promise<number> => {
  const answer = await sql<{
    n: number
  }>`select count(*) as n from field_value where definition_id = ${definition.id}`.execute(db)
  const models = (await readModelFields(db)).filter(({ fields }) => Object.hasOwn(fields, definition.key))
  return Number(answer.rows[0]?.n ?? 0) + models.length
}
