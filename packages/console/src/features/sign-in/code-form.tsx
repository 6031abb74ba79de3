import { CODE_DIGITS, type SecondFactorChallenge } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/http.ts'
import { session } from '../../lib/session.ts'
import { SubmitButton, TextField } from './fields.tsx'
import { fr } from './fr.ts'
import classes from './sign-in.module.css'

const { code: words } = fr
const WHOLE = new RegExp(`^\\d{${CODE_DIGITS}}$`)

interface CodeFormProps {
  readonly challenge: SecondFactorChallenge
  /** Asks for a recovery code instead of one of the application. */
  readonly recovery: boolean
  readonly onRecovery: (recovery: boolean) => void
  /** Back to name and password: given up, or why it has to begin anew. */
  readonly onBack: (failure: unknown) => void
}

/** The second step of signing in, for accounts that have a second factor. A whole code is sent by itself. */
export const CodeForm = ({ challenge, recovery, onRecovery, onBack }: CodeFormProps) => {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)
  const [loading, setLoading] = useState(false)

  const send = async (text: string): Promise<void> => {
    setLoading(true)
    setError(undefined)
    try {
      await session.loginByCode(challenge.token, text)
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 401 && failure.problem.challenge === undefined)
        return onBack(failure)
      setError(failure instanceof Error ? failure.message : fr.unavailableTitle)
      setCode('')
      setLoading(false)
    }
  }
  const change = (text: string): void => {
    setCode(text)
    setError(undefined)
    if (!recovery && !loading && WHOLE.test(text)) void send(text)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (code.trim() === '') setError(words.required)
    else if (!loading) void send(code)
  }
  const swap = (): void => {
    setCode('')
    setError(undefined)
    onRecovery(!recovery)
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextField
        key={String(recovery)}
        label={recovery ? words.recoveryLabel : words.label}
        name="code"
        value={code}
        onChange={change}
        error={error}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={recovery ? 32 : CODE_DIGITS + 2}
        autoFocus
      />
      <SubmitButton loading={loading}>{words.submit}</SubmitButton>
      <div className={classes.ways}>
        <button type="button" className={classes.way} onClick={swap}>
          {recovery ? words.useApplication : words.useRecovery}
        </button>
        <button type="button" className={classes.way} onClick={() => onBack(null)}>
          {words.cancel}
        </button>
      </div>
    </form>
  )
}
