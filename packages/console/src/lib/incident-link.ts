const INCIDENT = /^\/dashboard\/live-view\/incident\/(\d+)$/

/** The incident that a link leads to; null for any other link. */
export const linkedIncident = (link: string | undefined): number | null => {
  const [, id] = INCIDENT.exec(link ?? '') ?? []
  return id === undefined ? null : Number(id)
}

/** Of several that tell of one incident the first alone; those without one stand for themselves. */
export const onePerIncident = <T extends { readonly link: string }>(items: readonly T[]): T[] => {
  const seen = new Set<number>()
  return items.filter(({ link }) => {
    const incident = linkedIncident(link)
    if (incident === null) return true
    if (seen.has(incident)) return false
    seen.add(incident)
    return true
  })
}
