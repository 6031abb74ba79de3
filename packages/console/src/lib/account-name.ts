import { AVATARS, OWN_PICTURE, type OwnAccount, PICTURE_PATH } from '@narval/contracts'

/** First name and LAST NAME, or LAST NAME, or LOGIN (spec §2). */
export const panelName = (user: Pick<OwnAccount, 'firstName' | 'lastName' | 'login'>): string => {
  const first = user.firstName.trim()
  const last = user.lastName.trim().toLocaleUpperCase('fr')
  if (last === '') return user.login.toLocaleUpperCase('fr')
  return first === '' ? last : `${first} ${last}`
}

/** Address of an avatar of the assets' avatar folder, or of a picture of one's own; the first one for what is neither. */
export const avatarUrl = (avatar: string): string =>
  OWN_PICTURE.test(avatar)
    ? `${PICTURE_PATH}${avatar}.png`
    : `/assets/avatar/${AVATARS.find(one => one === avatar) ?? AVATARS[0]}.svg`
