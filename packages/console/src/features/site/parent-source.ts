import { fold, SELECT2_PAGE, type SiteNode } from '@narval/contracts'
import type { QueryClient } from '@tanstack/react-query'
import type { OptionSource } from '../../lib/option-source.ts'
import { siteTreeQuery } from '../../lib/site-tree.ts'
import { ancestorsOf, forestOf, subtreeOf } from '../../lib/tree-rows.ts'

/** Sites that may be the parent of one: neither itself nor one under it; each with the way down to it. */
export const parentSource = (
  client: QueryClient,
  own: number | null,
  may: (node: SiteNode) => boolean,
): OptionSource => ({
  key: `site-parent-${own ?? 'new'}`,
  async search(term) {
    const forest = forestOf(await client.ensureQueryData(siteTreeQuery))
    const below = own === null ? new Set<number>() : subtreeOf(forest, own)
    const wanted = fold(term)
    const found = [...forest.nodes.values()].filter(
      node =>
        !below.has(node.id) && may(node) && (fold(node.name).includes(wanted) || fold(node.code).includes(wanted)),
    )
    const pathOf = (id: number, name: string): string =>
      [...ancestorsOf(forest.nodes, id).map(node => node.name), name].join(' › ')
    return {
      results: found.slice(0, SELECT2_PAGE).map(({ id, name }) => ({ id, text: pathOf(id, name) })),
      pagination: { more: found.length > SELECT2_PAGE },
    }
  },
  async nameOf(id) {
    const nodes = await client.ensureQueryData(siteTreeQuery)
    return nodes.find(node => node.id === id)?.name ?? `n° ${id}`
  },
})
