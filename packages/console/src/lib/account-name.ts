import { AVATARS, type OwnAccount } from '@narval/contracts'

/** First name and LAST NAME, or LAST NAME, or LOGIN (spec §2). */
export const panelName = (user: Pick<OwnAccount, 'firstName' | 'lastName' | 'login'>): string => {
  const first = user.firstName.trim()
  const last = user.lastName.trim().toLocaleUpperCase('fr')
  if (last === '') return user.login.toLocaleUpperCase('fr')
  return first === '' ? last : `${first} ${last}`
}

/** Address of an avatar of the assets' avatar folder; the first one for a name that is not there. */
export const avatarUrl = (avatar: string): string =>
  `/assets/avatar/${AVATARS.find(one => one === avatar) ?? AVATARS[0]}.svg`
