import { CHECK_FAMILIES, CHECK_KINDS, CHECKS, type CheckFamily, type CheckKind, fold } from '@narval/contracts'

export interface KindFamily {
  readonly family: CheckFamily
  readonly kinds: readonly CheckKind[]
}

const TEXTS: ReadonlyMap<CheckKind, string> = new Map(
  CHECK_KINDS.map(kind => {
    const { label, family, description, keywords = [] } = CHECKS[kind]
    return [kind, fold([kind, label, family, description, ...keywords].join(' '))]
  }),
)

/** The kinds that have every word of a text, without case or accents, by families in their order; empty ones are left out. */
export const findKinds = (text: string): readonly KindFamily[] => {
  const words = fold(text).split(' ').filter(Boolean)
  const found = CHECK_KINDS.filter(kind => words.every(word => TEXTS.get(kind)?.includes(word) === true))
  return CHECK_FAMILIES.map(family => ({ family, kinds: found.filter(kind => CHECKS[kind].family === family) })).filter(
    ({ kinds }) => kinds.length > 0,
  )
}
