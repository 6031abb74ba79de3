/** Curves of one graph at most. */
export const GRAPH_MAX = 12

/** Metrics that the address of a graph names: each once, as many as a graph shows. */
export const graphIds = (text: string | null): number[] =>
  [...new Set((text ?? '').split(',').filter(id => /^[1-9]\d{0,9}$/.test(id)))].slice(0, GRAPH_MAX).map(Number)

export const graphText = (ids: readonly number[]): string => ids.join(',')

/** Address of the graph of metrics. */
export const graphPath = (ids: readonly number[]): string => `/metric/graph?ids=${graphText(ids.slice(0, GRAPH_MAX))}`
