/** A text that was begun, kept by the tab until it is sent: also when the page is left or read again by accident. */
const keyOf = (name: string): string => `draft:${name}`

export const readDraft = (name: string): string => {
  try {
    return sessionStorage.getItem(keyOf(name)) ?? ''
  } catch {
    return ''
  }
}

export const keepDraft = (name: string, text: string): void => {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {
    // A browser that keeps nothing: the text stays on the screen.
  }
}
