import { TextInput } from '@mantine/core'
import { type FieldValues, useController } from 'react-hook-form'
import { FIELD_ORDER, type FieldProps } from '../../ui/form-fields.tsx'

/** A date and a time by the clock of a place: the browser's own field, to the minute. */
export const DateTimeField = <V extends FieldValues, O>({ control, name, label, help, required }: FieldProps<V, O>) => {
  const { field, fieldState } = useController({ control, name })
  return (
    <TextInput
      {...field}
      type="datetime-local"
      label={label}
      value={typeof field.value === 'string' ? field.value : ''}
      description={help}
      inputWrapperOrder={FIELD_ORDER}
      withAsterisk={required}
      error={fieldState.error?.message}
    />
  )
}
