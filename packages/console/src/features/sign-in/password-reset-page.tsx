import { authenticationRoutes, PASSWORD_MESSAGES, passwordFaults } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { signOut, useSession } from '../../lib/session.ts'
import { showPasswordRefusal } from '../../ui/password-refusal.ts'
import { showToast } from '../../ui/toast.ts'
import { PasswordField, SubmitButton } from './fields.tsx'
import { fr } from './fr.ts'
import { type PasswordRule, passwordRules } from './password-rules.ts'
import classes from './sign-in.module.css'
import { SignInFrame } from './sign-in-frame.tsx'

/** Both fields are judged alike, and must agree (spec §5). */
const useResetForm = () => {
  const configuration = usePublicConfiguration()
  const policy = { minLength: configuration.passwordMinLength, maxLength: configuration.passwordMaxLength }
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [touched, setTouched] = useState({ password: false, confirmation: false })
  const faults = passwordFaults(password, policy)
  const confirmationFaults = passwordFaults(confirmation, policy)
  if (password !== confirmation) confirmationFaults.push(PASSWORD_MESSAGES.different)
  return {
    password,
    confirmation,
    setPassword,
    setConfirmation,
    touch: (field: 'password' | 'confirmation') => setTouched(before => ({ ...before, [field]: true })),
    passwordError: touched.password ? faults[0] : undefined,
    confirmationError: touched.confirmation ? confirmationFaults[0] : undefined,
    valid: faults.length === 0 && confirmationFaults.length === 0,
    rules: passwordRules(password, confirmation, policy),
  }
}

/** The password-reset screen (spec §2, §8). */
export const PasswordResetPage = () => {
  const form = useResetForm()
  const login = useSession().user?.login ?? ''
  const [loading, setLoading] = useState(false)

  const reset = async (): Promise<void> => {
    setLoading(true)
    try {
      await call(authenticationRoutes.passwordUpdate, {
        body: { password: form.password, passwordConfirmation: form.confirmation },
      })
      void showToast({ color: 'green', title: fr.reset.done, message: fr.reset.doneText })
      signOut()
    } catch (error) {
      showPasswordRefusal(error)
      setLoading(false)
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (form.valid && !loading) void reset()
  }

  return (
    <SignInFrame title={fr.reset.title} intro={fr.reset.intro}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
        <PasswordField
          label={fr.password}
          value={form.password}
          onChange={form.setPassword}
          onBlur={() => form.touch('password')}
          error={form.passwordError}
          autoComplete="new-password"
          autoFocus
        />
        <PasswordField
          label={fr.reset.confirmation}
          value={form.confirmation}
          onChange={form.setConfirmation}
          onBlur={() => form.touch('confirmation')}
          error={form.confirmationError}
          autoComplete="new-password"
        />
        <Rules rules={form.rules} />
        <SubmitButton loading={loading} disabled={!form.valid}>
          {fr.reset.submit}
        </SubmitButton>
        <Link className={classes.cancel} to="/login" onClick={signOut}>
          {fr.reset.cancel}
        </Link>
      </form>
    </SignInFrame>
  )
}

const Rules = ({ rules }: { readonly rules: readonly PasswordRule[] }) => (
  <div className={classes.rules}>
    <p>{fr.reset.rules}</p>
    <ul>
      {rules.map(rule => (
        <li key={rule.text} data-met={rule.met || undefined}>
          <svg
            width="12"
            height="12"
            viewBox="0 0 12 12"
            role="img"
            aria-label={rule.met ? fr.reset.met : fr.reset.unmet}
          >
            {rule.met ? (
              <path
                d="M2 6.5l2.6 2.6L10 3.4"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.8"
                strokeLinecap="round"
              />
            ) : (
              <circle cx="6" cy="6" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.4" />
            )}
          </svg>
          {rule.text}
        </li>
      ))}
    </ul>
  </div>
)
