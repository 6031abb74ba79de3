import { Button, PasswordInput } from '@mantine/core'
import { type FieldValues, useController } from 'react-hook-form'
import { FIELD_ORDER, type FieldProps } from '../../ui/form-fields.tsx'
import classes from './channel.module.css'
import { fr } from './fr.ts'

const { secret: words } = fr

interface SecretProps {
  /** One is stored: it stays unless another is typed, or it is taken away. */
  readonly present: boolean
}

/** A secret, which is written and never shown again. */
export const SecretField = <V extends FieldValues, O>(props: FieldProps<V, O> & SecretProps) => {
  const { control, name, label, help, present, required } = props
  const { field, fieldState } = useController({ control, name })
  const isRemoved = field.value === null
  return (
    <div className={classes.secret}>
      <PasswordInput
        {...field}
        label={label}
        value={typeof field.value === 'string' ? field.value : ''}
        placeholder={isRemoved ? words.removed : present ? words.kept : ''}
        description={present && !isRemoved ? words.keptHelp : help}
        inputWrapperOrder={FIELD_ORDER}
        withAsterisk={required === true && !present}
        error={fieldState.error?.message}
        autoComplete="new-password"
        maxLength={2_000}
        visibilityToggleButtonProps={{ 'aria-label': words.show }}
      />
      {present && required !== true && (
        <Button
          variant="subtle"
          size="compact-sm"
          color={isRemoved ? undefined : 'red'}
          onClick={() => field.onChange(isRemoved ? '' : null)}
        >
          {isRemoved ? words.keep : words.remove}
        </Button>
      )}
    </div>
  )
}
