export const CSV_DELIMITERS = [';', ',', '\t', '|'] as const
export type CsvDelimiter = (typeof CSV_DELIMITERS)[number]

/** Records looked at: enough to tell, few enough to be quick. */
const RECORDS = 30

/**
 * The delimiter that splits the first records most evenly outside quotes: the one whose number on the first line most of
 * the others repeat; of two as even, the more frequent, then the order of `CSV_DELIMITERS`. `;` where there is none.
 */
export const delimiterOf = (start: string): CsvDelimiter => {
  const records = countedRecords(start)
  let best: { delimiter: CsvDelimiter; even: number; count: number } = { delimiter: ';', even: 0, count: 0 }
  for (const delimiter of CSV_DELIMITERS) {
    const count = records[0]?.get(delimiter) ?? 0
    if (count === 0) continue
    const even = records.filter(record => record.get(delimiter) === count).length / records.length
    if (even > best.even || (even === best.even && count > best.count)) best = { delimiter, even, count }
  }
  return best.delimiter
}

type Counts = ReadonlyMap<string, number>

/** How often each delimiter stands outside quotes in each of the first records that say something. */
const countedRecords = (start: string): Counts[] => {
  const records: Counts[] = []
  let counts = new Map<string, number>()
  let quoted = false
  let blank = true
  for (const character of start) {
    if (character === '"') quoted = !quoted
    const ends = !quoted && (character === '\n' || character === '\r')
    if (ends) {
      if (!blank) records.push(counts)
      if (records.length === RECORDS) return records
      counts = new Map()
      blank = true
      continue
    }
    blank = false
    if (!quoted && isDelimiter(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  // The last one may be cut: it counts only where it is the only one.
  return records.length === 0 ? [counts] : records
}

const isDelimiter = (character: string): boolean => CSV_DELIMITERS.some(delimiter => delimiter === character)
