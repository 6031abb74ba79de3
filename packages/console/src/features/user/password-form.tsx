import { Button, PasswordInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { authenticationRoutes, PASSWORD_MESSAGES, passwordFaults } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { Card } from '../../ui/page.tsx'
import { showPasswordRefusal } from '../../ui/password-refusal.ts'
import { fr } from './fr.ts'
import classes from './my-account.module.css'

const NONE = { currentPassword: '', password: '', passwordConfirmation: '' }
type Field = keyof typeof NONE
const FIELDS = [
  { name: 'currentPassword', label: fr.currentPassword, autoComplete: 'current-password' },
  { name: 'password', label: fr.newPassword, autoComplete: 'new-password' },
  { name: 'passwordConfirmation', label: fr.confirmation, autoComplete: 'new-password' },
] as const

/** Judged as the server will (spec §5); faults are said once a field was left or the form sent. */
const usePasswords = () => {
  const { passwordMinLength, passwordMaxLength } = usePublicConfiguration()
  const [values, setValues] = useState(NONE)
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const faults: Readonly<Record<Field, string | undefined>> = {
    currentPassword: values.currentPassword === '' ? PASSWORD_MESSAGES.required : undefined,
    password: passwordFaults(values.password, { minLength: passwordMinLength, maxLength: passwordMaxLength })[0],
    passwordConfirmation: values.password === values.passwordConfirmation ? undefined : PASSWORD_MESSAGES.different,
  }
  return {
    values,
    valid: Object.values(faults).every(fault => fault === undefined),
    errorOf: (field: Field) => (touched.has(field) ? faults[field] : undefined),
    set: (field: Field, value: string) => setValues(before => ({ ...before, [field]: value })),
    touch: (...fields: readonly Field[]) => setTouched(before => new Set([...before, ...fields])),
    clear: () => {
      setValues(NONE)
      setTouched(new Set())
    },
  }
}

/** Change of one's own password, with the present one. */
export const PasswordForm = () => {
  const form = usePasswords()
  const [saving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      await call(authenticationRoutes.passwordUpdate, { body: form.values })
      form.clear()
      notifications.show({ color: 'green', title: fr.passwordChanged, message: '' })
    } catch (error) {
      showPasswordRefusal(error)
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    form.touch('currentPassword', 'password', 'passwordConfirmation')
    if (form.valid && !saving) void save()
  }
  return (
    <Card title={fr.password}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.note}>{fr.passwordIntro}</p>
        {FIELDS.map(({ name, label, autoComplete }) => (
          <PasswordInput
            key={name}
            label={label}
            autoComplete={autoComplete}
            value={form.values[name]}
            onChange={event => form.set(name, event.currentTarget.value)}
            onBlur={() => form.values[name] !== '' && form.touch(name)}
            error={form.errorOf(name)}
            visibilityToggleButtonProps={{ 'aria-label': fr.showPassword }}
          />
        ))}
        <div className={classes.submit}>
          <Button type="submit" loading={saving}>
            {fr.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  )
}
