import * as z from 'zod/mini'
import './messages.ts'

/** Limits that the password policy enforces; settings with these defaults (design decision: 8, and the message says 8). */
export interface PasswordPolicy {
  readonly minLength: number
  readonly maxLength: number
}
export const PASSWORD_POLICY: PasswordPolicy = { minLength: 8, maxLength: 32 }
/** The special characters of the requirements (spec §5). */
export const PASSWORD_SPECIALS = '#?!@$%^&*-_'

/** Sentences of spec §5; the lengths are those enforced. */
export const PASSWORD_MESSAGES = {
  required: 'Un mot de passe est requis',
  tooShort: (minimum: number) => `Le mot de passe doit contenir au moins ${minimum} caractères`,
  tooLong: (maximum: number) => `Le mot de passe peut contenir jusqu'à ${maximum} caractères`,
  complexity: `Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial parmi ${PASSWORD_SPECIALS}`,
  different: 'Les mots de passe saisis ne sont pas identiques.',
} as const

/** What is wrong with a password, in the order in which to say it; empty when it is accepted. */
export const passwordFaults = (password: string, policy: PasswordPolicy = PASSWORD_POLICY): string[] => {
  if (password.length === 0) return [PASSWORD_MESSAGES.required]
  const faults: string[] = []
  if (password.length < policy.minLength) faults.push(PASSWORD_MESSAGES.tooShort(policy.minLength))
  if (password.length > policy.maxLength) faults.push(PASSWORD_MESSAGES.tooLong(policy.maxLength))
  const specials = [...PASSWORD_SPECIALS]
  const complex =
    /\p{Lu}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /\d/.test(password) &&
    specials.some(c => password.includes(c))
  if (!complex) faults.push(PASSWORD_MESSAGES.complexity)
  return faults
}

/** Longest password that is looked at at all: anything longer is refused before hashing (S03). */
export const PASSWORD_INPUT_MAX = 1024

export const passwordUpdateBody = z.object({
  password: z.string().check(z.maxLength(PASSWORD_INPUT_MAX)),
  passwordConfirmation: z.string().check(z.maxLength(PASSWORD_INPUT_MAX)),
  currentPassword: z.optional(z.string().check(z.maxLength(PASSWORD_INPUT_MAX))),
})
