import { describe, expect, it } from 'vitest'
import { incrementsOf, scaleRange, tickTexts, timeTexts, uncut } from './axis.ts'

const texts = (ticks: number[], unit: Parameters<typeof tickTexts>[1], increment: number) =>
  tickTexts(ticks, unit, null, increment).map(text => text.replaceAll(/\s/g, ' '))

describe('scales in French', () => {
  it('name their unit', () => {
    expect(texts([0, 500_000, 1_000_000], 'bytes', 500_000)).toEqual(['0 o', '500 ko', '1 Mo'])
    expect(texts([0, 2e6], 'bits/s', 2e6)).toEqual(['0 bit/s', '2 Mbit/s'])
    expect(texts([0, 500, 1_000], 'ms', 500)).toEqual(['0 ms', '500 ms', '1 s'])
    expect(texts([0, 0.5], 'ratio', 0.5)).toEqual(['0 %', '50 %'])
  })
  it('have the decimals that tell one tick from the next', () => {
    expect(texts([0.9701, 0.9702, 0.9703], 'ratio', 0.0001)).toEqual(['97,01 %', '97,02 %', '97,03 %'])
    expect(texts([230.001, 230.002], 'volts', 0.001)).toEqual(['230,001 V', '230,002 V'])
  })
  it('a state has words at its values and nothing between', () => {
    expect(tickTexts([0, 1, 2], 'code', { 0: 'fermé', 1: 'ouvert' }, 1)).toEqual(['fermé', 'ouvert', ''])
    expect(incrementsOf('code', null).every(Number.isInteger)).toBe(true)
  })
  it('durations are cut as clocks are, beyond a second', () => {
    expect(incrementsOf('s', null)).toEqual(expect.arrayContaining([0.5, 15, 300, 3_600, 86_400]))
    expect(incrementsOf('ms', null)).toEqual(expect.arrayContaining([500, 15_000, 60_000]))
    expect(incrementsOf('s', null)).not.toContain(20)
  })
  it('begin at zero but where zero says nothing', () => {
    expect(scaleRange('ms', 40, 50)).toEqual([0, 54])
    expect(scaleRange('ratio', 0.2, 0.4)).toEqual([0, 1])
    expect(scaleRange('volts', 229, 231)[0]).toBeGreaterThan(220)
    expect([scaleRange('ms', null, null), scaleRange('count', 0, 0)]).toEqual([
      [0, 1],
      [0, 1],
    ])
  })
  it('times: days at midnight, seconds within a minute, months of a year', () => {
    const midnight = new Date(2026, 10, 22).getTime() / 1_000
    expect(timeTexts([midnight, midnight + 3_600], 3_600)).toEqual(['22/11', '01:00'])
    expect(timeTexts([midnight + 5], 5)).toEqual(['00:00:05'])
    expect(timeTexts([midnight], 30 * 86_400)).toEqual(['nov. 2026'])
  })
  it('a time that the right edge would cut is left out, its neighbours stay', () => {
    expect(uncut(['13:04:30', '13:05:00'], [90, 18], 12)).toEqual(['13:04:30', ''])
    expect(uncut(['13:00', '13:05'], [90, 18], 12)).toEqual(['13:00', '13:05'])
  })
})
