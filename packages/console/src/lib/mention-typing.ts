/** A name that is being typed after « @ »: where it begins and what of it is there. */
export interface Typing {
  /** Place of the « @ ». */
  readonly at: number
  readonly term: string
}

/** The name that stands before the cursor; null: none is being typed. */
export const typingAt = (text: string, cursor: number): Typing | null => {
  const found = /(?:^|[^\p{L}\p{N}._@-])@([\p{L}\p{N}._-]{0,64})$/u.exec(text.slice(0, cursor))
  const term = found?.[1]
  return term === undefined ? null : { at: cursor - term.length - 1, term }
}

/** The text with the name that was chosen, and where the cursor then stands: behind it and a space. */
export const withMention = (
  text: string,
  { at, term }: Typing,
  login: string,
): { readonly text: string; readonly cursor: number } => {
  const after = text.slice(at + 1 + term.length)
  const named = `@${login}${after.startsWith(' ') ? '' : ' '}`
  return { text: text.slice(0, at) + named + after, cursor: at + login.length + 2 }
}
