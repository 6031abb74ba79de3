import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DELIVERED } from '../changes.ts'
import type { Model } from './fleet/model.ts'
import { createPublisher } from './publisher.ts'

const EMPTY: Model = {
  ...{ version: 0, sites: new Map(), hosts: new Map(), scanners: new Map(), metrics: new Map() },
  standIns: new Map(),
}

describe('what the hubs are told', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('of a hundred deliveries in a second one word, of those after it another one', () => {
    const told: unknown[] = []
    const publisher = createPublisher({
      ...{ model: EMPTY, probesOffline: () => 0, now: () => Date.now() },
      publish: (_hub, _stream, argument) => {
        if (JSON.stringify(argument).includes('"deliveries":true')) told.push(argument)
      },
    })
    publisher.changed(DELIVERED)
    vi.advanceTimersByTime(20)
    expect(told).toHaveLength(1)
    for (let n = 0; n < 100; n++) publisher.changed(DELIVERED)
    vi.advanceTimersByTime(900)
    expect(told).toHaveLength(1)
    vi.advanceTimersByTime(200)
    expect(told).toHaveLength(2)
    publisher.stop()
  })

  it('of an account that changed, by itself or by a group: to it alone', () => {
    const told: { stream: string; argument: unknown; to: number[] }[] = []
    const publisher = createPublisher({
      ...{ model: EMPTY, probesOffline: () => 0, now: () => Date.now() },
      publish: (hub, stream, argument, to) => {
        if (hub === 'service' && stream === 'global')
          told.push({ stream, argument, to: [1, 2, 3].filter(id => to?.(id) ?? true) })
      },
    })
    publisher.changed({ entity: 'account', ids: [1, 3], action: 'updated' })
    expect(told).toEqual([{ stream: 'global', argument: { account: true, at: expect.any(String) }, to: [1, 3] }])
    publisher.stop()
  })
})
