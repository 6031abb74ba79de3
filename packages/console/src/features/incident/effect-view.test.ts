import { describe, expect, it } from 'vitest'
import { formatDateTime } from '../../lib/format.ts'
import { effectHosts, endedStretches, stretchText } from './effect-view.ts'

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
  it('each ended stretch says from when to when, its day once where it is one', () => {
    const effects = [stretch(1, '30', null), stretch(2, '20', '25'), stretch(2, '00', '10')]
    expect([endedStretches(effects, 1), endedStretches(effects, 2).length]).toEqual([[], 2])
    const at = (iso: string) => formatDateTime(iso).split(' ')
    const [first = { since: '', until: '' }] = endedStretches(effects, 2)
    const [day, from] = at('2026-11-22T08:00:00Z')
    expect(stretchText(first)).toBe(`le ${day} de ${from} à ${at('2026-11-22T08:10:00Z')[1]}`)
    const long = { since: '2026-11-20T08:00:00Z', until: '2026-11-22T08:00:00Z' }
    expect(stretchText(long)).toBe(`du ${at(long.since).join(' ')} au ${at(long.until).join(' ')}`)
  })
})
