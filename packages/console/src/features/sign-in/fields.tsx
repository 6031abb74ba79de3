import { type ComponentPropsWithRef, useId, useState } from 'react'
import classes from './fields.module.css'
import { fr } from './fr.ts'

interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'value' | 'onChange' | 'size'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** A sentence under the field, or true to mark it invalid without one. */
  readonly error?: string | boolean | undefined
}

/** A text field of the sign-in pages, which do without the component library to stay small. */
export const TextField = ({ label, value, onChange, error, children, ...input }: TextFieldProps) => {
  const id = useId()
  const sentence = typeof error === 'string' ? error : ''
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.box}>
        <input
          id={id}
          className={classes.input}
          placeholder={label}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          aria-invalid={error !== undefined && error !== false && error !== ''}
          aria-describedby={sentence === '' ? undefined : `${id}-error`}
          {...input}
        />
        {children}
      </div>
      {sentence !== '' && (
        <p className={classes.error} id={`${id}-error`}>
          {sentence}
        </p>
      )}
    </div>
  )
}

/** A password field whose text can be shown. */
export const PasswordField = (props: Omit<TextFieldProps, 'type' | 'children'>) => {
  const [shown, setShown] = useState(false)
  return (
    <TextField {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none">
      <button
        type="button"
        className={classes.eye}
        onClick={() => setShown(!shown)}
        aria-pressed={shown}
        aria-label={fr.showPassword}
        title={fr.showPassword}
      >
        <svg
          width="18"
          height="18"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <path d="M2.5 12C5 7.500 8.200 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-5.700 6.500-9.500 6.500S5 16.500 2.500 12z" />
          <circle cx="12" cy="12" r="3" />
          {!shown && <path d="M4 4l16 16" />}
        </svg>
      </button>
    </TextField>
  )
}

interface SubmitButtonProps {
  readonly children: string
  readonly loading: boolean
  readonly disabled?: boolean
}

/** Disabled with a spinner while the server is asked (spec §2). */
export const SubmitButton = ({ children, loading, disabled = false }: SubmitButtonProps) => (
  <button type="submit" className={classes.submit} disabled={loading || disabled} aria-busy={loading}>
    {loading && <span className={classes.spinner} aria-hidden="true" />}
    {children}
  </button>
)
