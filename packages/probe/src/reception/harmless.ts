/** Control characters, marks that turn the direction of a line, line separators, lone surrogates: never text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Bytes as text: UTF-8, else one character a byte. */
export const decodeText = (bytes: Buffer): string => {
  try {
    return UTF8.decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** One line that can be shown and logged anywhere, of at most `max` characters. Markup stays text. */
export const harmless = (text: string, max: number): string => {
  const line = text
    .slice(0, max * 2)
    .replace(UNSAFE, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (line.length <= max) return line
  // Never half of a character.
  const cut = line.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
