import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRecordBuffer, splitRecords } from './record.ts'

const MAX = 64
const bytes = (text: string) => Buffer.from(text)
const texts = (records: readonly Uint8Array[]) => records.map(record => Buffer.from(record).toString())

/** Feeds chunks one by one; `null` when one was oversize. */
function feed(chunks: readonly Uint8Array[]): string[] | null {
  const buffer = createRecordBuffer()
  const all: string[] = []
  for (const chunk of chunks) {
    const { records, oversize } = splitRecords(buffer, chunk, MAX)
    all.push(...texts(records))
    if (oversize) return null
  }
  return all
}

it('records come out whole however they were cut, even within a character', () => {
  const record = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(text => !text.includes('\u001e'))
  fc.assert(
    fc.property(fc.array(record, { maxLength: 6 }), fc.array(fc.nat(200), { maxLength: 12 }), (records, cuts) => {
      const stream = bytes(records.map(text => `${text}\u001e`).join(''))
      if (records.some(text => Buffer.byteLength(text) > MAX)) return
      const places = [0, ...cuts.filter(cut => cut < stream.length).sort((a, b) => a - b), stream.length]
      const chunks = places.slice(1).map((end, index) => stream.subarray(places[index], end))
      expect(feed(chunks)).toEqual(records)
    }),
  )
})

it('several records in one chunk, an empty one among them, keep their order', () => {
  expect(feed([bytes('a\u001e\u001eb\u001ec')])).toEqual(['a', '', 'b'])
})

it('S54: a record one byte over the limit is refused before its end has come; one at the limit is not', () => {
  expect(feed([bytes(`${'x'.repeat(MAX)}\u001e`)])).toEqual(['x'.repeat(MAX)])
  expect(feed([bytes('x'.repeat(MAX)), bytes('\u001e')])).toEqual(['x'.repeat(MAX)])
  expect(feed([bytes('x'.repeat(MAX + 1))])).toBeNull()
  expect(feed([bytes('x'.repeat(MAX)), bytes('x')])).toBeNull()
})

it('the records before an oversize one are still given', () => {
  const { records, oversize } = splitRecords(createRecordBuffer(), bytes(`a\u001e${'x'.repeat(MAX + 1)}`), MAX)
  expect([texts(records), oversize]).toEqual([['a'], true])
})

it('a chunk larger than the limit is fine when its records are not', () => {
  expect(feed([bytes('abc\u001e'.repeat(100))])).toHaveLength(100)
})

it('a record sent byte by byte keeps few pieces', () => {
  const buffer = createRecordBuffer()
  for (let sent = 0; sent < 1_000; sent += 1) splitRecords(buffer, bytes('x'), 2_000)
  expect(buffer.bytes).toBe(1_000)
  expect(buffer.pieces.length).toBeLessThanOrEqual(64)
  expect(texts(splitRecords(buffer, bytes('\u001e'), 2_000).records)).toEqual(['x'.repeat(1_000)])
})
