import { describe, expect, it } from 'vitest'
import { ancestorsOf, forestOf, subtreeOf, treeRows } from './tree-rows.ts'

const NONE = { error: 0, warning: 0, unknown: 0, ok: 0 }
const node = (id: number, parentId: number | null, counts: Partial<typeof NONE> = {}, name = `n${id}`) => {
  const all = { ...NONE, ...counts }
  return { id, name, parentId, hosts: Object.values(all).reduce((sum, n) => sum + n, 0), counts: all }
}
// 1 ─ 2 ─ 3, 4; 5 alone; 6 under a parent that is not there.
const list = [
  node(1, null),
  node(2, 1, { ok: 2 }),
  node(3, 2, { error: 1 }),
  node(4, 1, { warning: 1 }),
  node(5, null),
  node(6, 99, { ok: 1 }),
]
const forest = forestOf(list)
const shape = (rows: ReturnType<typeof treeRows<(typeof list)[number]>>) =>
  rows.map(row => `${'-'.repeat(row.level)}${row.node.id}${row.expanded === null ? '' : row.expanded ? 'v' : '>'}`)

describe('a tree of sites', () => {
  it('adds up what stands under each, and takes the worst severity of it', () => {
    expect(forest.totals.get(1)).toEqual({
      hosts: 4,
      counts: { ...NONE, error: 1, warning: 1, ok: 2 },
      below: 3,
      severity: 'error',
    })
    expect(forest.totals.get(2)).toMatchObject({ hosts: 3, severity: 'error', below: 1 })
    expect(forest.totals.get(5)).toMatchObject({ hosts: 0, severity: null, below: 0 })
  })
  it('puts the worst first among siblings, those without equipment last; a node without a known parent is at the top', () => {
    expect(shape(treeRows(forest, new Set(), null))).toEqual(['-1>', '-6', '-5'])
  })
  it('shows what is expanded, with levels and places', () => {
    const rows = treeRows(forest, new Set([1]), null)
    expect(shape(rows)).toEqual(['-1v', '--2>', '--4', '-6', '-5'])
    expect(rows[2]).toMatchObject({ level: 2, position: 2, siblings: 2 })
  })
  it('keeps the ancestors of what is looked for, expanded, and says which rows are only that', () => {
    const rows = treeRows(forest, new Set(), one => one.name === 'n3')
    expect(shape(rows)).toEqual(['-1v', '--2v', '---3'])
    expect(rows.map(row => row.matches)).toEqual([false, false, true])
    expect(treeRows(forest, new Set(), () => false)).toEqual([])
  })
  it('knows the chain above a node and all that is under it', () => {
    expect(ancestorsOf(forest.nodes, 3).map(one => one.id)).toEqual([1, 2])
    expect([...subtreeOf(forest, 1)].toSorted()).toEqual([1, 2, 3, 4])
  })
  it('bears depth, and a cycle that should not be', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) => node(index + 1, index === 0 ? null : index, { ok: 1 }))
    const made = forestOf(deep)
    expect(made.totals.get(1)?.hosts).toBe(20_000)
    expect(treeRows(made, new Set(deep.map(one => one.id)), null).length).toBe(20_000)
    const round = forestOf([node(1, 2), node(2, 1)])
    expect(treeRows(round, new Set([1, 2]), null)).toEqual([])
    expect(ancestorsOf(round.nodes, 1).map(one => one.id)).toEqual([2])
  })
})
