import type { ModelScanner } from '@narval/contracts'
import type { ModelFormOutput } from './model-schema.ts'

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
/** What I changed is mine; what I left is theirs. */
const pick = <T>(base: T | undefined, mine: T, theirs: T): T => (same(base, mine) ? theirs : mine)

/**
 * What one typed, brought onto the version that somebody else saved meanwhile: scanners and metrics are matched by their
 * identity, not by their place, and each of their fields is taken from who changed it; mine where both did.
 */
export const mergeModels = (
  base: ModelFormOutput,
  mine: ModelFormOutput,
  theirs: ModelFormOutput,
): ModelFormOutput => ({
  name: pick(base.name, mine.name, theirs.name),
  description: pick(base.description, mine.description, theirs.description),
  definition: {
    scanners: mergeLists(
      base.definition.scanners,
      mine.definition.scanners,
      theirs.definition.scanners,
      scanner => scanner.item,
      mergeScanners,
    ),
    fields: mergeFields(base.definition.fields, mine.definition.fields, theirs.definition.fields),
  },
})

const mergeScanners = (base: ModelScanner | undefined, mine: ModelScanner, theirs: ModelScanner): ModelScanner => ({
  item: mine.item,
  kind: theirs.kind,
  name: pick(base?.name, mine.name, theirs.name),
  intervalSeconds: pick(base?.intervalSeconds, mine.intervalSeconds, theirs.intervalSeconds),
  retryIntervalSeconds: pick(base?.retryIntervalSeconds, mine.retryIntervalSeconds, theirs.retryIntervalSeconds),
  timeoutMs: pick(base?.timeoutMs, mine.timeoutMs, theirs.timeoutMs),
  attempts: pick(base?.attempts, mine.attempts, theirs.attempts),
  parameters: pick(base?.parameters, mine.parameters, theirs.parameters),
  enabled: pick(base?.enabled, mine.enabled, theirs.enabled),
  metrics: mergeLists(
    base?.metrics ?? [],
    mine.metrics,
    theirs.metrics,
    metric => metric.key,
    (former, own, other) => pick(former, own, other),
  ),
})

/** Theirs in their order (mine when only I moved things), without what I took away, with what I added or changed. */
const mergeLists = <T>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  keyOf: (item: T) => string,
  merge: (base: T | undefined, mine: T, theirs: T) => T,
): T[] => {
  const byKey = (list: readonly T[]) => new Map(list.map(item => [keyOf(item), item]))
  const [formers, owns, others] = [byKey(base), byKey(mine), byKey(theirs)]
  const keys = (list: readonly T[]) => list.map(keyOf)
  const iMoved = !same(
    keys(mine).filter(key => formers.has(key)),
    keys(base).filter(key => owns.has(key)),
  )
  const [first, then] = iMoved ? [keys(mine), keys(theirs)] : [keys(theirs), keys(mine)]
  return [...new Set([...first, ...then])].flatMap(key => {
    const [former, own, other] = [formers.get(key), owns.get(key), others.get(key)]
    if (own !== undefined && other !== undefined) return [merge(former, own, other)]
    // They took it away: it stays only if I had changed it, or added it. I took it away: it goes.
    if (own !== undefined) return former === undefined || !same(former, own) ? [own] : []
    return other !== undefined && former === undefined ? [other] : []
  })
}

type Fields = ModelFormOutput['definition']['fields']
const mergeFields = (base: Fields, mine: Fields, theirs: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].flatMap(key => {
      const value = pick(base[key], mine[key], theirs[key])
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
