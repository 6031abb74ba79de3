import { PASSWORD_SPECIALS, type PasswordPolicy } from '@narval/contracts'
import { fr } from './fr.ts'

export interface PasswordRule {
  readonly text: string
  readonly met: boolean
}

/** The rules of spec §5 one by one, as the reader fills them; `passwordFaults` of the contracts is what decides. */
export const passwordRules = (password: string, confirmation: string, policy: PasswordPolicy): PasswordRule[] => [
  {
    text: fr.reset.length(policy.minLength, policy.maxLength),
    met: password.length >= policy.minLength && password.length <= policy.maxLength,
  },
  { text: fr.reset.upper, met: /\p{Lu}/u.test(password) },
  { text: fr.reset.lower, met: /\p{Ll}/u.test(password) },
  { text: fr.reset.digit, met: /\d/.test(password) },
  { text: fr.reset.special(PASSWORD_SPECIALS), met: [...PASSWORD_SPECIALS].some(char => password.includes(char)) },
  { text: fr.reset.same, met: password !== '' && password === confirmation },
]
