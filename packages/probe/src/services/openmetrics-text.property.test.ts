import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLine, type Sample, seriesText } from './openmetrics-text.ts'

const sampleOf = (line: string): Sample | null => {
  const found = parseLine(line)
  return found.kind === 'sample' ? found.sample : null
}
const read = (line: string) => {
  const sample = sampleOf(line)
  return sample === null ? null : [sample.name, Object.fromEntries(sample.labels), sample.value]
}

const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,20}$/)
const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,20}$/)
const labels = fc.dictionary(label, fc.string({ unit: 'grapheme', maxLength: 20 }), {
  maxKeys: 6,
  noNullPrototype: true,
})
// Written texts know one zero.
const value = fc.double().map(number => number + 0)

describe('the text of exporters', () => {
  it('every series that can be written is read back as it was, whatever its labels hold', () => {
    fc.assert(
      fc.property(name, labels, value, fc.option(fc.integer(), { nil: null }), (one, given, number, stamp) => {
        const sample = { name: one, labels: new Map(Object.entries(given)), value: number }
        const line = `${seriesText(sample)} ${number}${stamp === null ? '' : ` ${stamp}`}`
        const found = sampleOf(line)
        expect(found).toEqual(sample)
      }),
      { numRuns: 2_000 },
    )
  })

  it('any text at all is a line of some kind, and none throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      '=',
      ',',
      ' ',
      '#',
      'a',
      'le',
      '1',
      '.',
      'e',
      '+',
      '-',
      'NaN',
      '\t',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map(parts => parts.join('')),
        ),
        text => {
          expect(['sample', 'type', 'end', 'nothing', 'malformed']).toContain(parseLine(text).kind)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it.each([
    [
      'http_requests_total{method="post",code="200"} 1027 1395066363000',
      ['http_requests_total', { method: 'post', code: '200' }, 1027],
    ],
    [
      'msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9',
      [
        'msdos_file_access_time_seconds',
        { path: 'C:\\DIR\\FILE.TXT', error: 'Cannot find file:\n"FILE.TXT"' },
        1.458255915e9,
      ],
    ],
    ['metric_without_timestamp_and_labels 12.47', ['metric_without_timestamp_and_labels', {}, 12.47]],
    [
      'something_weird{problem="division by zero"} +Inf -3982045',
      ['something_weird', { problem: 'division by zero' }, Infinity],
    ],
    ['rpc{quantile="0.5",} 4773', ['rpc', { quantile: '0.5' }, 4773]],
    ['  spaced  {  a = "b" , c="d" }   .5e-3  ', ['spaced', { a: 'b', c: 'd' }, 0.0005]],
    ['foo_bucket{le="10"} 17 # {trace_id="oHg5SJ#YRHA0"} 9.8 1520879607.789', ['foo_bucket', { le: '10' }, 17]],
    ['foo_total 17.0 1520879607.789 # {a="b"} 0.54', ['foo_total', {}, 17]],
    ['{"http.requests","service.name"="api"} 3', ['http.requests', { 'service.name': 'api' }, 3]],
    ['windows\u0020 NaN\r', ['windows', {}, Number.NaN]],
  ])('reads %s', (line, expected) => {
    expect(read(line)).toEqual(expected)
  })

  it.each([
    'a{b="c" 1',
    'a{b=c} 1',
    'a{b="c",b="d"} 1',
    'a',
    'a 1 2 3',
    'a 0x1f',
    '1a 1',
    'a{} ',
    '{} 1',
    'a{"x"="y} 1',
    'a 1 #x',
    `a{${Array.from({ length: 65 }, (_, n) => `l${n}="v"`).join()}} 1`,
  ])('refuses %s', line => {
    expect(parseLine(line)).toEqual({ kind: 'malformed' })
  })

  it('knows types, the end of a text, and comments that say nothing', () => {
    expect(parseLine('# TYPE http_requests_total counter')).toEqual({
      kind: 'type',
      name: 'http_requests_total',
      type: 'counter',
    })
    expect(parseLine('# TYPE "http.requests" gauge')).toEqual({ kind: 'type', name: 'http.requests', type: 'gauge' })
    expect(parseLine('# EOF').kind).toBe('end')
    for (const text of ['', '   ', '# HELP a b', '#TYPE', '# a comment', '#'])
      expect(parseLine(text).kind).toBe('nothing')
  })

  it('a line of 64 KiB made to be slow takes less than 50 ms', () => {
    for (const text of [
      `a{b="${'\\'.repeat(65_000)}`,
      `a{${'b="c",'.repeat(10_000)}`,
      `a 1${' '.repeat(65_000)}x`,
      `a${'{'.repeat(65_000)}`,
    ]) {
      const startedMs = performance.now()
      expect(parseLine(text).kind).toBe('malformed')
      expect(performance.now() - startedMs).toBeLessThan(50)
    }
  })
})
