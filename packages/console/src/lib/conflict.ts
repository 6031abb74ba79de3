/** A field in which what was typed and what somebody else saved meanwhile differ. */
export interface FieldConflict {
  readonly name: string
  readonly mine: unknown
  readonly theirs: unknown
  /** Who changed it since the form was loaded; what only one of them changed is proposed as he left it. */
  readonly changedBy: 'me' | 'them' | 'both'
}
export type ConflictSide = 'mine' | 'theirs'

/** Compares a form, the newer version and the one both began with, field by field in the order of `names`. */
export const conflictsOf = (
  base: object,
  mine: object,
  theirs: object,
  names: readonly string[],
): readonly FieldConflict[] => {
  const [old, own, other] = [base, mine, theirs].map(version => new Map<string, unknown>(Object.entries(version)))
  return names.flatMap(name => {
    const versions = { mine: own?.get(name) ?? null, theirs: other?.get(name) ?? null }
    if (isSame(versions.mine, versions.theirs)) return []
    const before = old?.get(name) ?? null
    const changedBy = isSame(before, versions.theirs) ? 'me' : isSame(before, versions.mine) ? 'them' : 'both'
    return [{ name, ...versions, changedBy }]
  })
}

/** What is proposed for a field: mine where I changed it, theirs where only they did. */
export const proposedSide = ({ changedBy }: FieldConflict): ConflictSide => (changedBy === 'them' ? 'theirs' : 'mine')

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
