/**
 * The form in which names are searched and sorted: lower case, without accents, ligatures opened, spaces single.
 * Computed in JavaScript for both databases, which do not agree on either.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/\s+/g, ' ')
    .trim()
