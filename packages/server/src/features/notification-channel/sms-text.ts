/** GSM 03.38: characters of one septet, and those of two. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€'
/** Septets of a message alone, and of each part of a longer one. */
const ALONE = 160
const PART = 153

const SAME: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '→': '>',
  œ: 'oe',
  Œ: 'OE',
  '\u00a0': ' ',
  '\u202f': ' ',
  ç: 'c',
  '·': '-',
  '•': '-',
  '−': '-',
  '‐': '-',
  '‑': '-',
  '×': 'x',
  '≥': '>=',
  '≤': '<=',
  µ: 'u',
  μ: 'u',
  '°': 'o',
}

/** Written with the characters of SMS alone: one accent outside of them would cut the length by more than half. */
export const gsmText = (text: string): string =>
  [...text.replace(/«\s*|\s*»/g, '"')]
    .map(character => gsmCharacter(character))
    .join('')
    .replace(/[ \t]+/g, ' ')
    .trim()

const gsmCharacter = (character: string): string => {
  if (BASIC.includes(character) || EXTENDED.includes(character)) return character
  const same = SAME[character]
  if (same !== undefined) return same
  const bare = character.normalize('NFKD').replace(/\p{M}+/gu, '')
  return [...bare].map(one => (BASIC.includes(one) || EXTENDED.includes(one) ? one : '?')).join('')
}

export const septets = (text: string): number =>
  [...text].reduce((sum, character) => sum + (EXTENDED.includes(character) ? 2 : 1), 0)

/** How many SMS a text takes. */
export const partsOf = (text: string): number => (septets(text) <= ALONE ? 1 : Math.ceil(septets(text) / PART))

/** The text of SMS, cut at a word so that it takes at most so many of them. */
export const smsText = (text: string, parts: number): string => {
  const written = gsmText(text)
  const room = parts === 1 ? ALONE : parts * PART
  if (septets(written) <= room) return written
  let kept = ''
  let used = 3
  for (const character of written) {
    used += EXTENDED.includes(character) ? 2 : 1
    if (used > room) break
    kept += character
  }
  const space = kept.lastIndexOf(' ')
  return `${(space > kept.length * 0.7 ? kept.slice(0, space) : kept).trimEnd()}...`
}
