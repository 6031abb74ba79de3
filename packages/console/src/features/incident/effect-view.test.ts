import { describe, expect, it } from 'vitest'
import { effectHosts } from './effect-view.ts'

const stretch = (hostId: number, since: string, until: string | null) => ({
  ...{ hostId, hostName: `srv-${hostId}` },
  since: `2026-11-22T08:${since}:00Z`,
  until: until === null ? null : `2026-11-22T08:${until}:00Z`,
})

describe('the hosts that an incident makes unreachable', () => {
  it('a host that fell twice is one host, with both of its stretches in order', () => {
    const hosts = effectHosts([stretch(1, '30', null), stretch(2, '30', '31'), stretch(1, '00', '10')])
    expect(hosts).toEqual([
      { hostId: 1, hostName: 'srv-1', since: '2026-11-22T08:30:00Z', endedMs: [600_000] },
      { hostId: 2, hostName: 'srv-2', since: null, endedMs: [60_000] },
    ])
    expect(effectHosts([stretch(2, '20', '25'), stretch(2, '00', '10')])[0]?.endedMs).toEqual([600_000, 300_000])
  })
})
