const NNBSP = '\u202f'
/** Of a text between guillemets: a name or a value that somebody wrote. */
const QUOTED = /(«[^»]*»)/

/**
 * French typography for a sentence written with plain signs: a narrow no-break space before : ; ? ! % » and after «, and
 * the apostrophe of print. What stands between guillemets keeps its own, and « jusqu'à » that of the requirements (spec §5).
 */
export const typeset = (sentence: string): string =>
  sentence
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/(?<=\p{L})(?<!jusqu)'/gu, '’')))
    .join('')
    .replace(/ ([:;?!%»])/g, `${NNBSP}$1`)
    .replace(/« /g, `«${NNBSP}`)
