import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { notifications } from '@mantine/notifications'
import { useCallback, useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { form as words } from '../i18n/form.ts'
import { ApiError } from '../lib/api.ts'
import { changedFields, type FormRefusal, readProblem } from '../lib/form-problem.ts'

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
  readonly save: (output: O, basedOn: string | null) => Promise<E>
  readonly onSaved: (entity: E) => void
}

export interface EntityForm<V extends FieldValues, O> {
  readonly form: UseFormReturn<V, unknown, O>
  readonly refusal: FormRefusal | null
  /** Names of the fields that somebody else changed since this form was loaded. */
  readonly newerFields: readonly string[]
  readonly submit: () => void
  /** Takes the server's version where nothing was typed, and keeps what was. */
  readonly rebase: () => void
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

/** A form on one record: checked by the contract's schema, then by the server; nothing that was typed is ever lost. */
export const useEntityForm = <V extends FieldValues, O, E>(options: EntityFormOptions<V, O, E>): EntityForm<V, O> => {
  const { schema, values, labels, readNewer, save, onSaved } = options
  const form = useForm<V, unknown, O>({
    resolver: standardSchemaResolver<V, unknown, O>(schema),
    defaultValues: values,
    mode: 'onTouched',
  })
  const [basedOn, setBasedOn] = useState(options.basedOn)
  const [refusal, setRefusal] = useState<FormRefusal | null>(null)
  const [newerFields, setNewerFields] = useState<readonly string[]>([])
  const done = useRef(false)
  const base = useRef<object>(values)
  const { isDirty } = form.formState

  const submit = form.handleSubmit(async output => {
    setRefusal(null)
    try {
      const entity = await save(output, basedOn)
      done.current = true
      onSaved(entity)
    } catch (error) {
      const found = problemOf(error, Object.keys(labels))
      setRefusal(found)
      const newer = found.newer === null ? null : (readNewer?.(found.newer.values) ?? null)
      setNewerFields(newer === null ? [] : changedFields(base.current, newer, Object.keys(labels)))
      found.fields.forEach(({ path, message }, index) => {
        form.setError(asPath<V>(path), { type: 'server', message }, { shouldFocus: index === 0 })
      })
    }
  })

  const rebase = (): void => {
    const newer = refusal?.newer ?? null
    const fresh = newer === null ? null : (readNewer?.(newer.values) ?? null)
    if (newer === null || fresh === null) return
    form.reset(fresh, { keepDirtyValues: true, keepErrors: false })
    base.current = fresh
    setBasedOn(newer.at)
    setRefusal(null)
    setNewerFields([])
    notifications.show({ message: words.rebased, color: 'blue' })
  }

  const unsaved = useCallback(() => isDirty && !done.current, [isDirty])
  const forget = useCallback(() => {
    done.current = true
  }, [])
  return { form, refusal, newerFields, submit: () => void submit(), rebase, unsaved, forget }
}
