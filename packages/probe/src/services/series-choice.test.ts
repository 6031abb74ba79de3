import { parseSelector } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { parseLine } from './openmetrics-text.ts'
import { BadPattern, createSeriesChoice } from './series-choice.ts'

const TEXT = `
up 1
http_requests_total{code="200",method="get"} 100
http_requests_total{code="500",method="get"} 3
http_requests_total{code="503",method="post"} 4
http_requests_total{code="404",method="get"} 10
temp{room="a"} 20
temp{room="b"} NaN
temp{room="c"} +Inf
temp 30
`
const choose = (selector: string, aggregation: 'sum' | 'min' | 'max' | 'avg' | 'count' = 'sum') => {
  const choice = createSeriesChoice([{ name: 'x', selector, aggregation, type: 'gauge', unit: '' }])
  for (const line of TEXT.split('\n')) {
    const found = parseLine(line)
    if (found.kind === 'sample') choice.add(found.sample)
  }
  return choice.values()['series[x]']
}

describe('the choice of series', () => {
  it.each([
    ['up', 1],
    ['http_requests_total', 117],
    ['http_requests_total{code="500"}', 3],
    ['http_requests_total{code=~"5.."}', 7],
    ['http_requests_total{code=~"5"}', undefined],
    ['http_requests_total{code!="200", method="get"}', 13],
    ['http_requests_total{code!~"4..|5.."}', 100],
    ['{__name__=~"http_.*",code="404"}', 10],
    ['temp{room=""}', 30],
    ['temp{room!=""}', 20],
    ['nothing', undefined],
  ])('%s gives %s', (selector, expected) => {
    expect(choose(selector)).toBe(expected)
  })

  it('several become one by sum, minimum, maximum, mean or number; what is no number counts only as a series', () => {
    const all = (['sum', 'min', 'max', 'avg', 'count'] as const).map(how => choose('temp', how))
    expect(all).toEqual([50, 20, 30, 25, 4])
    expect(choose('nothing', 'count')).toBe(0)
    expect(choose('temp{room="b"}')).toBeUndefined()
  })

  it('S41: an expression that explodes elsewhere takes no time here, one that can not be used is refused', () => {
    const choice = createSeriesChoice([
      { name: 'x', selector: 'a{b=~"(a+)+$"}', aggregation: 'sum', type: 'gauge', unit: '' },
    ])
    const startedMs = performance.now()
    choice.add({ name: 'a', labels: new Map([['b', `${'a'.repeat(50_000)}!`]]), value: 1 })
    expect(performance.now() - startedMs).toBeLessThan(250)
    expect(choice.values()).toEqual({})
    for (const bad of ['a{b=~"("}', 'a{b=~"(?=x)"}', 'a{b=~"(((a{1,100}){1,100}){1,100})"}'])
      expect(() => choose(bad)).toThrow(BadPattern)
  })

  it.each(['', '{}', 'a{', 'a}', 'a{b}', 'a{b="c"', "a{b='c'}", 'a{b=="c"}', 'a b', 'a{b="c" d="e"}', '1a'])(
    '%s is no selector',
    text => {
      expect(parseSelector(text)).toBeNull()
    },
  )

  it('reads a selector with escapes, blanks and a comma at its end', () => {
    expect(parseSelector(' a { b = "c\\"d\\\\" , "e.f" !~ "g" , } ')).toEqual({
      name: 'a',
      matchers: [
        { label: 'b', operator: '=', value: 'c"d\\' },
        { label: 'e.f', operator: '!~', value: 'g' },
      ],
    })
  })
})
