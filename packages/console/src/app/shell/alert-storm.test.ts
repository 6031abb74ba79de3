import { describe, expect, test } from 'vitest'
import { createAlertStorm } from './alert-storm.ts'

describe('a storm of alerts', () => {
  test('a few alerts are told one by one', () => {
    const tell = createAlertStorm({ own: 3, windowMs: 1_000 })
    expect([0, 10, 20].map(tell)).toEqual([{ kind: 'own' }, { kind: 'own' }, { kind: 'own' }])
  })

  test('a thousand at once are three toasts and a count', () => {
    const tell = createAlertStorm({ own: 3, windowMs: 1_000 })
    const told = Array.from({ length: 1_000 }, (_, at) => tell(at))
    expect(told.filter(one => one.kind === 'own')).toHaveLength(3)
    expect(told.at(-1)).toEqual({ kind: 'summed', count: 997 })
  })

  test('once it is calm again, they are told one by one, and the count begins anew', () => {
    const tell = createAlertStorm({ own: 1, windowMs: 1_000 })
    expect([0, 1, 2].map(tell).at(-1)).toEqual({ kind: 'summed', count: 2 })
    expect(tell(5_000)).toEqual({ kind: 'own' })
    expect(tell(5_001)).toEqual({ kind: 'summed', count: 1 })
  })
})
