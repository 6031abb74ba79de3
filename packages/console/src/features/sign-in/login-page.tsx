import { PASSWORD_MESSAGES, type SecondFactorChallenge } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/http.ts'
import { session } from '../../lib/session.ts'
import { showToast } from '../../ui/toast.ts'
import { CodeForm } from './code-form.tsx'
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
  const [challenge, setChallenge] = useState<SecondFactorChallenge | null>(null)
  const [recovery, setRecovery] = useState(false)

  const signIn = async (): Promise<void> => {
    setLoading(true)
    setRefused(false)
    try {
      await session.login({ ...(await measureDevice()), login: login.trim(), password })
    } catch (error) {
      const asked = error instanceof ApiError ? error.problem.challenge : undefined
      if (asked !== undefined) return setChallenge(asked)
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

  const back = (failure: unknown): void => {
    setChallenge(null)
    setRecovery(false)
    setPassword('')
    setSubmitted(false)
    if (failure instanceof ApiError)
      void showToast({ color: 'red', title: fr.unavailableTitle, message: failure.message })
  }

  if (challenge !== null)
    return (
      <SignInFrame title={fr.submit} intro={recovery ? fr.code.introRecovery : fr.code.intro}>
        <CodeForm challenge={challenge} recovery={recovery} onRecovery={setRecovery} onBack={back} />
      </SignInFrame>
    )
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
