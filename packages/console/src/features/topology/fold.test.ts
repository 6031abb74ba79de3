import type { Topology, TopologyHost } from '@narval/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DRAWN_MAX, fold } from './fold.ts'
import { chainOf, graphOf, hostKey } from './graph.ts'

const at = '2026-11-20T08:00:00.000Z'
const host = (id: number, parents: readonly number[], over: Partial<TopologyHost> = {}): TopologyHost => ({
  ...{ id, name: `host-${id}`, siteId: 1, typeName: null, state: 'available', severity: 'ok', since: at },
  ...{ inMaintenance: false, parents: [...parents], probeId: 1, ...over },
})
const topology = (hosts: readonly TopologyHost[]): Topology => ({
  ...{ hosts: [...hosts], probes: [{ id: 1, name: 'Sonde', state: 'online' }] },
  ...{ sites: [{ id: 1, name: 'Lyon' }], total: hosts.length, at },
})
const none = { toggled: new Map<string, boolean>(), kept: new Set<string>() }
/** A fleet as they are: routers under the probe, switches under each, many leaves under each switch. */
const fleet = (routers: number, switches: number, leaves: number): TopologyHost[] => {
  const hosts: TopologyHost[] = []
  const add = (parents: readonly number[]): number => {
    hosts.push(host(hosts.length + 1, parents))
    return hosts.length
  }
  for (let router = 0; router < routers; router += 1) {
    const top = add([])
    for (let one = 0; one < switches; one += 1) {
      const middle = add([top])
      for (let leaf = 0; leaf < leaves; leaf += 1) add([middle])
    }
  }
  return hosts
}

describe('folding a topology', () => {
  it('draws everything up to 400, leaves of the same parents as one block', () => {
    const { boxes, edges } = fold(graphOf(topology(fleet(2, 2, 8))), none)
    expect(boxes.filter(box => box.kind === 'one')).toHaveLength(1 + 2 + 4)
    expect(boxes.filter(box => box.kind === 'leaves').map(box => [box.open, box.cells.length])).toEqual(
      Array.from({ length: 4 }, () => [true, 8]),
    )
    expect(edges).toHaveLength(2 + 4 + 4)
  })

  it('of more, draws what leads there and counts the rest, each host once, with its worst state', () => {
    const hosts = fleet(30, 2, 20).map(one => (one.id === 10 ? { ...one, state: 'down' as const } : one))
    const { boxes } = fold(graphOf(topology(hosts)), none)
    expect(boxes.length).toBeLessThanOrEqual(DRAWN_MAX)
    expect(boxes.reduce((sum, box) => sum + box.count, 0)).toBe(hosts.length + 1)
    expect(boxes.filter(box => box.severity === 'error').map(box => [box.kind, box.count])).toEqual([['leaves', 20]])
  })

  it('opens what is asked, and keeps in sight what one looks for', () => {
    const graph = graphOf(topology(fleet(30, 2, 20)))
    const closed = fold(graph, none).boxes.find(box => box.kind === 'leaves')
    const opened = fold(graph, { ...none, toggled: new Map([[closed?.key ?? '', true]]) })
    expect(opened.boxes.find(box => box.key === closed?.key)?.cells).toHaveLength(20)
    const kept = chainOf(graph, hostKey(900))
    expect(fold(graph, { ...none, kept }).boxes.map(box => box.key)).toContain(hostKey(900))
  })

  it('counts each host once and ends, whatever hangs on what, circles too', () => {
    const anyHosts = fc
      .array(fc.nat(900_000), { minLength: DRAWN_MAX, maxLength: 900, size: 'max' })
      .map(all =>
        all.map((both, index) =>
          host(index + 1, [(both % all.length) + 1, (Math.floor(both / 1_000) % all.length) + 1]),
        ),
      )
    fc.assert(
      fc.property(anyHosts, hosts => {
        const graph = graphOf(topology(hosts))
        expect(graph.nodes.size).toBe(hosts.length + 1)
        const { boxes } = fold(graph, none)
        expect(boxes.reduce((sum, box) => sum + box.count, 0)).toBeLessThanOrEqual(hosts.length + 1)
        expect(new Set(boxes.map(({ key }) => key)).size).toBe(boxes.length)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  it('marks the ways by which nothing passes any more', () => {
    const hosts = [
      host(1, [], { state: 'down', severity: 'error' }),
      host(2, [1], { state: 'unreachable', severity: 'unknown' }),
      host(3, [2], { state: 'unreachable', severity: 'unknown' }),
      host(4, [1]),
    ]
    const { edges } = fold(graphOf(topology(hosts)), none)
    expect(
      edges
        .filter(({ cut }) => cut)
        .map(({ from, to }) => `${from} ${to}`)
        .toSorted(),
    ).toEqual(['h1 h2', 'h2 h3'])
  })
})
