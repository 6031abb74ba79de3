import { AVATARS } from '@narval/contracts'
import type { ReactNode } from 'react'
import { account } from '../i18n/account.ts'
import { avatarUrl } from '../lib/account-name.ts'
import classes from './avatar-choice.module.css'

const { avatar: words } = account

interface AvatarChoiceProps {
  /** An avatar of the console, or the name of the account's own picture. */
  readonly value: string
  /** Name of the account's own picture; null when it has none. */
  readonly own: string | null
  readonly onChange: (avatar: string) => void
  /** What else one may do, behind the choices. */
  readonly children?: ReactNode
}

/** The avatars of the console, with the account's own picture where it has one. */
export const AvatarChoice = ({ value, own, onChange, children }: AvatarChoiceProps) => (
  <fieldset className={classes.avatars}>
    <legend>{words.label}</legend>
    {own !== null && <One avatar={own} name={words.own} isChosen={value === own} onChoose={() => onChange(own)} />}
    {AVATARS.map(avatar => (
      <One
        key={avatar}
        avatar={avatar}
        name={words.names[avatar]}
        isChosen={value === avatar}
        onChoose={() => onChange(avatar)}
      />
    ))}
    {children}
  </fieldset>
)

interface OneProps {
  readonly avatar: string
  readonly name: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const One = ({ avatar, name, isChosen, onChoose }: OneProps) => (
  <label className={classes.avatar} title={name}>
    <input type="radio" name="avatar" value={avatar} checked={isChosen} onChange={onChoose} />
    <img src={avatarUrl(avatar)} width={48} height={48} alt={name} />
  </label>
)
