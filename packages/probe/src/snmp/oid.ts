/** Negative when `a` comes before `b` in a MIB, 0 when they are the same. Both are well-formed. */
export const compareOids = (a: string, b: string): number => {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    let [x, y] = [0, 0]
    for (; i < a.length && a.charCodeAt(i) !== POINT; i += 1) x = x * 10 + a.charCodeAt(i) - ZERO
    for (; j < b.length && b.charCodeAt(j) !== POINT; j += 1) y = y * 10 + b.charCodeAt(j) - ZERO
    if (x !== y) return x - y
    i += 1
    j += 1
  }
  return a.length - i - (b.length - j)
}
const [POINT, ZERO] = [46, 48]

/** What follows `root` in an OID below it; null when it is not below it. */
export const suffixOf = (oid: string, root: string): string | null =>
  oid.length > root.length && oid.startsWith(root) && oid.charCodeAt(root.length) === POINT
    ? oid.slice(root.length + 1)
    : null
