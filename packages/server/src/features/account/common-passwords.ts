import { fold } from '@narval/contracts'

/** The most common passwords of public leaks that are refused, most frequent first in the list (S02). */
const COUNT = 10_000
const SHORTEST_CONTEXT = 4
const PADDING = /^[^\p{L}]+|[^\p{L}]+$/gu

let list: Promise<ReadonlySet<string>> | null = null
/** Loaded when first asked: most installations leave the rule off. */
const commonPasswords = (): Promise<ReadonlySet<string>> => {
  list ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, COUNT)),
  )
  return list
}

/**
 * Whether a password is a common one, also with digits and signs around it, or holds a word of its context (product,
 * login). Case and accents do not count.
 */
export const isCommonPassword = async (password: string, context: readonly string[]): Promise<boolean> => {
  const folded = fold(password)
  const words = context.map(fold).filter(word => word.length >= SHORTEST_CONTEXT)
  if (words.some(word => folded.includes(word))) return true
  const common = await commonPasswords()
  return common.has(folded) || common.has(folded.replace(PADDING, ''))
}
