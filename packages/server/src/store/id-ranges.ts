/** Ids as text, those that follow each other as a range: « 1-40,52 ». Ten thousand hosts of a site are a few bytes. */
export const toRanges = (ids: Iterable<number>): string => {
  const parts: string[] = []
  let [first, last] = [0, 0]
  const close = (): void => {
    if (last > 0) parts.push(first === last ? String(first) : `${first}-${last}`)
  }
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    if (id !== last + 1 || last === 0) {
      close()
      first = id
    }
    last = id
  }
  close()
  return parts.join(',')
}

/** First and last id of each range, in order. */
export const rangesOf = (text: string): (readonly [first: number, last: number])[] =>
  (text === '' ? [] : text.split(',')).map(part => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return [first, last]
  })

export const fromRanges = (text: string): Set<number> => {
  const ids = new Set<number>()
  for (const [first, last] of rangesOf(text)) for (let id = first; id <= last; id += 1) ids.add(id)
  return ids
}

/** Whether an id is among them, without unfolding them. */
export const inRanges = (text: string, id: number): boolean =>
  rangesOf(text).some(([first, last]) => first <= id && id <= last)
