import type { KyselyPlugin, QueryId } from 'kysely'

/**
 * Gives the rows of each question without an order the other way round. SQLite answers such a question by its rowids, which
 * hides what PostgreSQL shows once in a hundred runs: that nobody has asked for the order on which something relies.
 */
export const backwards = (): KyselyPlugin => {
  const unordered = new WeakSet<QueryId>()
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && node.orderBy === undefined) unordered.add(queryId)
      return node
    },
    transformResult: async ({ result, queryId }) =>
      unordered.has(queryId) ? { ...result, rows: result.rows.toReversed() } : result,
  }
}
