import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { form as words } from '../i18n/form.ts'
import { ApiError } from '../lib/api.ts'
import { type ConflictSide, conflictsOf, type FieldConflict } from '../lib/conflict.ts'
import { type FormRefusal, readProblem } from '../lib/form-problem.ts'

type Schema<V extends FieldValues, O> = z.ZodMiniType<O, V>

export interface EntityFormOptions<V extends FieldValues, O, E> {
  /** The contract's own schema: the server parses with the same. */
  readonly schema: Schema<V, O>
  /** The record's values as loaded, or the defaults of a new one. */
  readonly values: DefaultValues<V>
  /** `updatedAt` of the version loaded; null for a new record. */
  readonly basedOn: string | null
  /** French name of each field, in the order of the form. */
  readonly labels: Readonly<Record<string, string>>
  /** The values in a newer version that the server shows; null when it can't be read. */
  readonly readNewer?: (current: unknown) => V | null
  /** How a field's value reads when two versions are compared; without it, see `valueText` of `conflict-dialog.tsx`. */
  readonly describe?: Readonly<Record<string, (value: unknown) => ReactNode>>
  /** How what one typed is brought onto a newer version; without it, the fields that one keeps are kept whole. */
  readonly merge?: (base: V, typed: V, newer: V) => V
  /** Null: the person went back to the form, nothing is saved. */
  readonly save: (output: O, basedOn: string | null) => Promise<E | null>
  readonly onSaved: (entity: E) => void
}

export interface EntityForm<V extends FieldValues, O> {
  readonly form: UseFormReturn<V, unknown, O>
  readonly refusal: FormRefusal | null
  /** The fields that differ from what somebody else saved since this form was loaded; null without such a conflict. */
  readonly conflicts: readonly FieldConflict[] | null
  readonly describe: Readonly<Record<string, (value: unknown) => ReactNode>>
  readonly submit: () => void
  /** Goes on from the newer version, with the side chosen for each field that differs, and saves. */
  readonly resolve: (choices: ReadonlyMap<string, ConflictSide>) => void
  /** True when leaving would lose something. */
  readonly unsaved: () => boolean
  /** Called when what was typed may be lost: it was deleted, or somebody chose to leave. */
  readonly forget: () => void
}

const problemOf = (error: unknown, fields: readonly string[]): FormRefusal =>
  error instanceof ApiError && error.status !== 0
    ? readProblem(error.problem, fields)
    : { fields: [], general: words.unreachable, newer: null }

/**
 * The one cast: paths named by the server's problem are checked to begin with a field of the form (`readProblem`);
 * the library's own type of them can't be built from a string.
 */
const asPath = <V extends FieldValues>(path: string): FieldPath<V> => path as FieldPath<V>

/** The one other cast: a form that merges was loaded from a record, so that its first values were whole. */
const asWhole = <V extends FieldValues>(values: object): V => values as V

const NO_WORDS: Readonly<Record<string, (value: unknown) => ReactNode>> = {}

/** A form on one record: checked by the contract's schema, then by the server; nothing that was typed is ever lost. */
export const useEntityForm = <V extends FieldValues, O, E>(options: EntityFormOptions<V, O, E>): EntityForm<V, O> => {
  const { schema, values, labels, readNewer, merge, save, onSaved } = options
  const form = useForm<V, unknown, O>({
    resolver: standardSchemaResolver<V, unknown, O>(schema),
    defaultValues: values,
    mode: 'onTouched',
  })
  const basedOn = useRef(options.basedOn)
  const [refusal, setRefusal] = useState<FormRefusal | null>(null)
  const [conflicts, setConflicts] = useState<readonly FieldConflict[] | null>(null)
  const done = useRef(false)
  const base = useRef<object>(values)
  const { isDirty } = form.formState

  const submit = form.handleSubmit(async output => {
    setRefusal(null)
    try {
      const entity = await save(output, basedOn.current)
      if (entity === null) return
      done.current = true
      onSaved(entity)
    } catch (error) {
      const found = problemOf(error, Object.keys(labels))
      setRefusal(found)
      const newer = found.newer === null ? null : (readNewer?.(found.newer.values) ?? null)
      setConflicts(newer === null ? null : conflictsOf(base.current, form.getValues(), newer, Object.keys(labels)))
      found.fields.forEach(({ path, message }, index) => {
        form.setError(asPath<V>(path), { type: 'server', message }, { shouldFocus: index === 0 })
      })
    }
  })

  const resolve = (choices: ReadonlyMap<string, ConflictSide>): void => {
    const newer = refusal?.newer ?? null
    const fresh = newer === null ? null : (readNewer?.(newer.values) ?? null)
    if (newer === null || fresh === null) return
    const typed = form.getValues()
    const mine = merge === undefined ? typed : merge(asWhole<V>(base.current), typed, fresh)
    const kept = (conflicts ?? []).filter(({ name }) => choices.get(name) === 'mine').map(({ name }) => name)
    form.reset(fresh)
    // Not field by field: lists of fields only take a whole form.
    form.reset({ ...fresh, ...Object.fromEntries(kept.map(name => [name, mine[name]])) }, { keepDefaultValues: true })
    base.current = fresh
    basedOn.current = newer.at
    setRefusal(null)
    setConflicts(null)
    void submit()
  }

  const unsaved = useCallback(() => isDirty && !done.current, [isDirty])
  const forget = useCallback(() => {
    done.current = true
  }, [])
  return {
    form,
    refusal,
    conflicts,
    describe: options.describe ?? NO_WORDS,
    submit: () => void submit(),
    resolve,
    unsaved,
    forget,
  }
}
