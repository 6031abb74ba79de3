const NNBSP = '\u202f'

/** French typography for a sentence written with plain spaces: a narrow no-break one before : ; ? ! % » and after «. */
export const typeset = (sentence: string): string =>
  sentence.replace(/ ([:;?!%»])/g, `${NNBSP}$1`).replace(/« /g, `«${NNBSP}`)
