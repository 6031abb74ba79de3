import { PASSWORD_MESSAGES } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/http.ts'
import { session } from '../../lib/session.ts'
import { showToast } from '../../ui/toast.ts'
import { measureDevice } from './device.ts'
import { PasswordField, SubmitButton, TextField } from './fields.tsx'
import { fr } from './fr.ts'
import classes from './sign-in.module.css'
import { SignInFrame } from './sign-in-frame.tsx'

/** No answer, or the server's own fault: nothing is said of the password, which was not judged. */
const notJudged = (error: unknown): boolean => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

const showFailure = (error: unknown): void => {
  const refused = error instanceof ApiError && error.status === 401
  void showToast({
    color: 'red',
    title: notJudged(error) ? fr.unavailableTitle : fr.failedTitle,
    message: error instanceof ApiError && !refused ? error.message : fr.failedText,
  })
}

/** The sign-in screen (spec §2). What follows a success is the router's affair: it watches the session. */
export const LoginPage = () => {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const [refused, setRefused] = useState(false)
  const [loading, setLoading] = useState(false)

  const signIn = async (): Promise<void> => {
    setLoading(true)
    setRefused(false)
    try {
      await session.login({ ...(await measureDevice()), login: login.trim(), password })
    } catch (error) {
      setRefused(!notJudged(error))
      showFailure(error)
    } finally {
      setLoading(false)
    }
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    if (login.trim() !== '' && password !== '' && !loading) void signIn()
  }
  const errorOf = (value: string, message: string) => (submitted && value === '' ? message : refused)

  return (
    <SignInFrame title={fr.submit} intro={fr.intro}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextField
          label={fr.login}
          name="username"
          value={login}
          onChange={value => {
            setLogin(value)
            setRefused(false)
          }}
          error={errorOf(login.trim(), fr.loginRequired)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          autoFocus
        />
        <PasswordField
          label={fr.password}
          name="password"
          value={password}
          onChange={value => {
            setPassword(value)
            setRefused(false)
          }}
          error={errorOf(password, PASSWORD_MESSAGES.required)}
          autoComplete="current-password"
        />
        <SubmitButton loading={loading}>{fr.submit}</SubmitButton>
      </form>
    </SignInFrame>
  )
}
