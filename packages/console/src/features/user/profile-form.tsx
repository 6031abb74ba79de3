import { Alert, Button, NativeSelect, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { AVATARS, accountRoutes, DENSITIES, HOME_PAGES, OWN_PICTURE, type OwnAccount, THEMES } from '@narval/contracts'
import { type FormEvent, useState } from 'react'
import { fr as common } from '../../i18n/fr.ts'
import { ApiError, call } from '../../lib/api.ts'
import { NNBSP } from '../../lib/format.ts'
import { session } from '../../lib/session.ts'
import { AvatarChoice } from '../../ui/avatar-choice.tsx'
import { Card, errorText } from '../../ui/page.tsx'
import { fr } from './fr.ts'
import classes from './my-account.module.css'
import { PictureButton } from './picture-dialog.tsx'

type AvatarName = (typeof AVATARS)[number]
interface Profile extends Pick<OwnAccount, 'firstName' | 'lastName' | 'email' | 'phone' | 'theme' | 'density'> {
  /** Null: the one that it has. */
  readonly avatar: AvatarName | null
  readonly homePage: (typeof HOME_PAGES)[number]
}
const startOf = (user: OwnAccount): Profile => ({
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  phone: user.phone,
  avatar: null,
  theme: user.theme,
  density: user.density,
  homePage: HOME_PAGES.find(one => one === user.homePage) ?? HOME_PAGES[0],
})

const useProfile = (user: OwnAccount) => {
  const [values, setValues] = useState<Profile>(() => startOf(user))
  const [error, setError] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const save = async (): Promise<void> => {
    setSaving(true)
    setError(null)
    const { avatar, ...others } = values
    try {
      await call(accountRoutes.ownUpdate, { body: avatar === null ? others : { ...others, avatar } })
      await session.loadAccount()
      setValues(before => ({ ...before, avatar: null }))
      notifications.show({ color: 'green', title: fr.saved, message: common.common.saved })
    } catch (failure) {
      setError(failure)
    } finally {
      setSaving(false)
    }
  }
  const fields = error instanceof ApiError ? (error.problem.fields ?? {}) : {}
  return {
    values,
    set: (change: Partial<typeof values>) => setValues(before => ({ ...before, ...change })),
    save,
    saving,
    fields,
    /** What has no field to stand beside. */
    general: error !== null && Object.keys(fields).length === 0 ? errorText(error) : null,
  }
}

/** Profile and preferences, kept with the account on the server. */
export const ProfileForm = ({ user }: { readonly user: OwnAccount }) => {
  const { values, set, save, saving, fields, general } = useProfile(user)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!saving) void save()
  }
  const text = (name: 'firstName' | 'lastName' | 'email' | 'phone') => ({
    label: fr[name],
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
    error: fields[name],
  })
  return (
    <Card title={fr.profile} aside={`${fr.login}${NNBSP}: ${user.login}`}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          <TextInput {...text('firstName')} autoComplete="given-name" maxLength={64} />
          <TextInput {...text('lastName')} autoComplete="family-name" maxLength={64} />
        </div>
        <TextInput {...text('email')} type="email" autoComplete="email" maxLength={254} />
        <TextInput
          {...text('phone')}
          type="tel"
          autoComplete="tel"
          maxLength={16}
          placeholder="+33612345678"
          description={fr.phoneHelp}
        />
        <AvatarChoice
          value={values.avatar ?? user.avatar}
          own={OWN_PICTURE.test(user.avatar) ? user.avatar : null}
          onChange={chosen => set({ avatar: AVATARS.find(one => one === chosen) ?? null })}
        >
          <PictureButton onSaved={() => set({ avatar: null })} />
        </AvatarChoice>
        <h3 className={classes.subtitle}>{fr.preferences}</h3>
        <div className={classes.pair}>
          <NativeSelect
            label={fr.theme}
            value={values.theme}
            onChange={event => set({ theme: THEMES.find(one => one === event.currentTarget.value) ?? 'auto' })}
            data={THEMES.map(theme => ({ value: theme, label: fr.themes[theme] }))}
          />
          <NativeSelect
            label={fr.density}
            value={values.density}
            onChange={event =>
              set({ density: DENSITIES.find(one => one === event.currentTarget.value) ?? 'comfortable' })
            }
            data={DENSITIES.map(density => ({ value: density, label: fr.densities[density] }))}
          />
          <NativeSelect
            label={fr.homePage}
            value={values.homePage}
            onChange={event =>
              set({ homePage: HOME_PAGES.find(one => one === event.currentTarget.value) ?? HOME_PAGES[0] })
            }
            data={HOME_PAGES.map(page => ({ value: page, label: fr.homePages[page] }))}
          />
        </div>
        {general !== null && (
          <Alert color="red" role="alert">
            {general}
          </Alert>
        )}
        <div className={classes.submit}>
          <Button type="submit" loading={saving}>
            {common.common.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}
