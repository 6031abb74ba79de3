import { TextInput } from '@mantine/core'
import type { THRESHOLD_SIDES, Unit } from '@narval/contracts'
import { useEffect, useState } from 'react'
import { type Control, type FieldValues, useController } from 'react-hook-form'
import { threshold as words } from '../i18n/threshold.ts'
import { formatValue } from '../lib/format.ts'
import { formulaFault, isFormula } from '../lib/formula-text.ts'
import { readMeasure, writeMeasure } from '../lib/measure.ts'
import { fieldAt } from './field-path.ts'
import { FIELD_ORDER } from './form-fields.tsx'

export type ThresholdSide = (typeof THRESHOLD_SIDES)[number]

/** What is known of one side's formula, and how it is changed; undefined takes the formula away. */
export interface SideFormula {
  readonly text: string | undefined
  readonly error: string | undefined
  /** What the server computed for this very text; undefined while nobody knows. */
  readonly computed: number | null | undefined
  readonly fault: string | undefined
  readonly change: (text: string | undefined) => void
}

interface ThresholdInputProps<V extends FieldValues, O> {
  readonly control: Control<V, unknown, O>
  /** Path of the thresholds in the form. */
  readonly at: string
  readonly side: ThresholdSide
  readonly label: string
  readonly unit: Unit
  readonly placeholder?: string
  readonly formula: SideFormula
  readonly disabled?: boolean
}

const writtenOf = (value: unknown, unit: Unit): string =>
  typeof value === 'number' ? writeMeasure(value, unit) : typeof value === 'string' ? value : ''

const formulaHelp = ({ computed, fault }: SideFormula, unit: Unit): string =>
  fault ?? (typeof computed === 'number' ? words.computed(formatValue(computed, unit)) : words.formula)

/** One side of the thresholds: a figure in the metric's unit (« 90 % », « 1,5 Go »), or a formula over custom fields. */
export const ThresholdInput = <V extends FieldValues, O>(props: ThresholdInputProps<V, O>) => {
  const { control, at, side, label, unit, placeholder, formula, disabled = false } = props
  const { field, fieldState } = useController({ control, name: fieldAt<V>(at, side) })
  const { value } = field
  const formulaText = formula.text
  const [left, setLeft] = useState(false)
  const [text, setText] = useState(() => formulaText ?? writtenOf(value, unit))
  // The form was loaded again: show its value, but leave alone a text that already means it.
  useEffect(() => {
    setText(shown => {
      if (formulaText !== undefined) return formulaText
      const meant = readMeasure(shown, unit) ?? null
      return meant === (value ?? null) || value === shown ? shown : writtenOf(value, unit)
    })
  }, [value, formulaText, unit])
  const type = (typed: string): void => {
    setText(typed)
    if (isFormula(typed)) {
      if (typeof value === 'string') field.onChange(null)
      formula.change(typed)
      return
    }
    if (formulaText !== undefined) formula.change(undefined)
    const measure = readMeasure(typed, unit)
    // What is no measure goes on as typed: the schema then refuses it beside the field.
    field.onChange(measure === undefined ? typed : measure)
  }
  const computed = formulaText === undefined ? null : formula
  return (
    <TextInput
      ref={field.ref}
      name={field.name}
      label={label}
      value={text}
      disabled={disabled}
      placeholder={placeholder}
      onChange={event => type(event.currentTarget.value)}
      onBlur={() => {
        if (computed === null) setText(writtenOf(field.value, unit))
        else setLeft(true)
        field.onBlur()
      }}
      autoComplete="off"
      spellCheck={false}
      description={computed === null ? undefined : formulaHelp(computed, unit)}
      inputWrapperOrder={FIELD_ORDER}
      error={computed === null ? fieldState.error?.message : (computed.error ?? (left ? formulaFault(text) : null))}
    />
  )
}
