import { type FieldValues, type PathValue, type UseFormReturn, useWatch } from 'react-hook-form'
import { type InheritedValues, sameValue } from '../lib/inheritance.ts'
import { fieldAt } from './field-path.ts'

type Same = (a: unknown, b: unknown, besideA: unknown, besideB: unknown) => boolean

interface Options<F extends string> {
  /** The fields that may be inherited. */
  readonly fields: readonly F[]
  /** What they have else; null: nothing is inherited, every field is plain. */
  readonly inherited: InheritedValues<F> | null
  /** How values are compared where `sameValue` does not do. */
  readonly same?: Partial<Readonly<Record<F, Same>>>
  /** Fields of the form that belong with one of them: changed and given back together. */
  readonly beside?: Partial<Readonly<Record<F, string>>>
}

export interface Inheritance<F extends string> {
  readonly isOwn: (field: F) => boolean
  /** The fields that are its own, to be sent as `overrides`. */
  readonly own: () => F[]
  /** Keeps the inherited value as its own; `value` where the form shows the inherited one by an empty field. */
  readonly customize: (field: F, value?: unknown) => void
  readonly revert: (field: F) => void
}

/** The one cast: the value was read from the same field of the same record. */
const asValue = <V extends FieldValues>(value: unknown) => value as PathValue<V, ReturnType<typeof fieldAt<V>>>

/**
 * Which fields of a form are its record's own: those kept as such (`overrides`, a field of the form), and those whose value
 * is no longer the inherited one. To type is to make it one's own.
 */
export const useInheritance = <V extends FieldValues, O, F extends string>(
  form: UseFormReturn<V, unknown, O>,
  { fields, inherited, same, beside = {} }: Options<F>,
): Inheritance<F> => {
  const overrides = fieldAt<V>('overrides')
  const values: readonly unknown[] = useWatch({
    control: form.control,
    name: [overrides, ...fields.flatMap(field => [fieldAt<V>(field), fieldAt<V>(beside[field] ?? field)])],
  })
  const kept = (): readonly unknown[] => {
    const list: unknown = form.getValues(overrides)
    return Array.isArray(list) ? list : []
  }
  const isOwnValue = (field: F, list: readonly unknown[], value: unknown, besideValue: unknown): boolean => {
    if (inherited === null) return false
    const compare: Same = same?.[field] ?? sameValue
    return list.includes(field) || !compare(value, inherited[field].value, besideValue, inherited[field].beside)
  }
  const keep = (list: readonly unknown[]): void =>
    form.setValue(overrides, asValue<V>(fields.filter(field => list.includes(field))), { shouldDirty: true })
  return {
    isOwn: field => {
      const [list] = values
      const at = 2 * fields.indexOf(field) + 1
      return isOwnValue(field, Array.isArray(list) ? list : [], values[at], values[at + 1])
    },
    own: () =>
      fields.filter(field => {
        const [value, besideValue] = [fieldAt<V>(field), fieldAt<V>(beside[field] ?? field)].map(one =>
          form.getValues(one),
        )
        return isOwnValue(field, kept(), value, besideValue)
      }),
    customize: (field, value) => {
      keep([...kept(), field])
      if (value !== undefined) form.setValue(fieldAt<V>(field), asValue<V>(value), { shouldDirty: true })
    },
    revert: field => {
      if (inherited === null) return
      keep(kept().filter(one => one !== field))
      const other = beside[field]
      if (other !== undefined)
        form.setValue(fieldAt<V>(other), asValue<V>(inherited[field].beside), { shouldDirty: true })
      form.setValue(fieldAt<V>(field), asValue<V>(inherited[field].value), { shouldDirty: true, shouldValidate: true })
    },
  }
}
