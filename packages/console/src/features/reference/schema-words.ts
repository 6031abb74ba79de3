const number = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 20 })
type Bound = number | undefined

/** « de 1 à 20 », « 20 au plus », « 1 au moins »; nothing without a bound. */
const between = (min: Bound, max: Bound, unit: (count: number) => string): string[] => {
  const figure = (value: number) => number.format(value).replace('-', '−')
  const said = (value: number) => `${figure(value)}${unit(value)}`
  if (min !== undefined && max !== undefined)
    return [min === max ? `${said(max)} exactement` : `de ${figure(min)} à ${said(max)}`]
  if (max !== undefined) return [`${said(max)} au plus`]
  return min === undefined ? [] : [`${said(min)} au moins`]
}
const plural = (word: string) => (count: number) => ` ${word}${count >= 2 ? 's' : ''}`

const TYPES = {
  string: 'texte',
  integer: 'entier',
  number: 'nombre',
  boolean: 'booléen',
  object: 'objet',
  array: 'liste',
  null: 'null',
} as const
const LISTS = {
  string: 'liste de textes',
  integer: 'liste d’entiers',
  number: 'liste de nombres',
  boolean: 'liste de booléens',
  object: 'liste d’objets',
  array: 'liste de listes',
  null: 'liste de null',
} as const
/** Formats whose type says all that their pattern does. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'date et heure (UTC)',
  email: 'adresse e-mail',
  uuid: 'UUID',
  uri: 'adresse web',
}

/** Patterns that a sentence stands for; an empty one goes without saying. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[^\\p{Cc}]*$': 'sur une ligne',
  Z$: '',
  '^[\\p{L}\\p{N}._-]+$': 'lettres, chiffres et . _ - seulement',
  '^[\\p{L}\\p{N}._@-]+$': 'lettres, chiffres et . _ @ - seulement',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$': 'un UUID',
  '^[1-9]\\d{0,9}(,[1-9]\\d{0,9}){0,199}$': 'entiers séparés par des virgules, 200 au plus',
}

/** How the types and limits of the API's schemas are said in French. */
export const schemaWords = {
  types: TYPES,
  anything: 'valeur quelconque',
  empty: 'vide',
  anyKey: '‹clé›',
  nullItems: 'éléments null acceptés',
  text: (format: string): string => FORMATS[format] ?? TYPES.string,
  saysAll: (format: string): boolean => FORMATS[format] !== undefined,
  object: (component: string | null): string => (component === null ? TYPES.object : `objet ${component}`),
  list: (component: string | null, type: keyof typeof LISTS | null): string => {
    if (component !== null) return /^[AEIOUY]/.test(component) ? `liste d’${component}` : `liste de ${component}`
    return type === null ? 'liste de valeurs' : LISTS[type]
  },
  either: (types: readonly string[]): string =>
    types.length < 2 ? (types[0] ?? TYPES.null) : `${types.slice(0, -1).join(', ')} ou ${types.at(-1)}`,
  each: (limit: string): string => `chacun\u202f: ${limit}`,
  /** An empty text can't be told from no text. */
  length: (min: Bound, max: Bound): string[] =>
    min === 1 && max === undefined ? ['non vide'] : between(min === 0 ? undefined : min, max, plural('caractère')),
  count: (min: Bound, max: Bound): string[] => between(min === 0 ? undefined : min, max, plural('élément')),
  range: (min: Bound, max: Bound): string[] => between(min, max, () => ''),
  literal: (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value)),
  initial: (value: unknown): string => {
    if (value === '') return 'vide'
    if (Array.isArray(value) && value.length === 0) return 'liste vide'
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'objet vide'
    return typeof value === 'string' ? value : JSON.stringify(value)
  },
  patterns: PATTERNS,
} as const
