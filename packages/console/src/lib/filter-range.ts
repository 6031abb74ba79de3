/** The two ends of a filter by range, as they are written; '' is open. */
export interface FilterRange {
  readonly from: string
  readonly to: string
}

/** `10..20`, `10..`, `..20`, or one value alone, as the server takes it and the address keeps it. */
export const rangeOf = (text: string): FilterRange => {
  const cut = text.indexOf('..')
  return cut < 0 ? { from: text, to: text } : { from: text.slice(0, cut), to: text.slice(cut + 2) }
}
export const rangeText = ({ from, to }: FilterRange): string => {
  const [low, high] = [from.trim().replace(',', '.'), to.trim().replace(',', '.')]
  return low === '' && high === '' ? '' : low === high ? low : `${low}..${high}`
}

const IS: Readonly<Record<'number' | 'date', RegExp>> = {
  number: /^-?\d{1,15}([.,]\d{1,10})?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
}
/** Whether both ends are what they should be, or open. */
export const isRange = (kind: 'number' | 'date', { from, to }: FilterRange): boolean =>
  [from, to].every(end => end.trim() === '' || IS[kind].test(end.trim()))

/** « 10 à 20 », « à partir de 10 », « jusqu’à 20 », « 10 ». */
export const rangeWords = (text: string, shown: (end: string) => string): string => {
  const { from, to } = rangeOf(text)
  if (from === to) return shown(from)
  if (to === '') return `à partir de ${shown(from)}`
  return from === '' ? `jusqu’à ${shown(to)}` : `${shown(from)} à ${shown(to)}`
}

/** Several values in one parameter of an address: parted by commas, a comma of their own behind `\`. */
export const joinValues = (values: readonly string[]): string =>
  values.map(value => value.replace(/[\\,]/g, character => `\\${character}`)).join(',')
export const splitValues = (text: string): string[] =>
  text === ''
    ? []
    : [...text.matchAll(/(?:^|,)((?:\\.|[^\\,])*)/gs)].map(([, value = '']) => value.replace(/\\(.)/gs, '$1'))
