import { TextInput } from '@mantine/core'
import type { Unit } from '@narval/contracts'
import { useEffect, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { readMeasure, writeMeasure } from '../lib/measure.ts'
import { FIELD_ORDER, type FieldProps } from './form-fields.tsx'

interface MeasureProps {
  readonly unit: Unit
}

const writtenOf = (value: unknown, unit: Unit): string =>
  typeof value === 'number' ? writeMeasure(value, unit) : typeof value === 'string' ? value : ''

/** A value in a metric's unit, typed as one writes it (« 90 % », « 1,5 Go »); empty is null. */
export const MeasureField = <V extends FieldValues, O>(props: FieldProps<V, O> & MeasureProps) => {
  const { control, name, help, required, unit, ...rest } = props
  const { field, fieldState } = useController({ control, name })
  const [text, setText] = useState(() => writtenOf(field.value, unit))
  const { value } = field
  // The form was loaded again: show its value, but leave alone a text that already means it.
  useEffect(() => {
    setText(shown => {
      const meant = readMeasure(shown, unit) ?? null
      return meant === (value ?? null) || value === shown ? shown : writtenOf(value, unit)
    })
  }, [value, unit])
  return (
    <TextInput
      {...rest}
      ref={field.ref}
      name={field.name}
      value={text}
      onChange={event => {
        const typed = event.currentTarget.value
        setText(typed)
        const measure = readMeasure(typed, unit)
        // What is no measure goes on as typed: the schema then refuses it beside the field.
        field.onChange(measure === undefined ? typed : measure)
      }}
      onBlur={() => {
        setText(writtenOf(field.value, unit))
        field.onBlur()
      }}
      inputMode="decimal"
      autoComplete="off"
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
    />
  )
}
