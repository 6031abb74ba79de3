import type { ChainLink, Incident } from '@narval/contracts'

/** What a link is in the story: nothing to say, where it begins, or what follows from it. */
export type ChainRole = 'good' | 'cause' | 'consequence' | 'trouble'

/** A link of the causal chain as it is shown. */
export interface ChainStep {
  readonly link: ChainLink
  readonly role: ChainRole
  /** Its own page; null where the reader has none. */
  readonly to: string | null
  /** Its incident, when it is another one than that of the page. */
  readonly incidentTo: string | null
}

export const incidentPath = (id: number): string => `/dashboard/live-view/incident/${id}`

const pathOf = ({ kind, id }: ChainLink, seesProbes: boolean): string | null => {
  if (kind === 'host') return `/host/${id}`
  if (kind === 'metric') return `/metric/${id}`
  return seesProbes ? `/probe/edit/${id}` : null
}

/**
 * The chain as steps, from the probe down. What is bad before the cause stands for itself; what is bad after it follows
 * from it. Without a known cause nothing is said to follow from anything.
 */
export const chainSteps = (
  chain: readonly ChainLink[],
  { incidentId, seesProbes }: { readonly incidentId: Incident['id']; readonly seesProbes: boolean },
): ChainStep[] => {
  const first = chain.findIndex(link => link.cause)
  return chain.map((link, at) => ({
    link,
    role: link.cause ? 'cause' : link.severity === 'ok' ? 'good' : first >= 0 && at > first ? 'consequence' : 'trouble',
    to: pathOf(link, seesProbes),
    incidentTo: link.incidentId === null || link.incidentId === incidentId ? null : incidentPath(link.incidentId),
  }))
}

/** The cause, when it lies elsewhere than at the end of the chain: there the page's title says it already. */
export const causeElsewhere = (chain: readonly ChainLink[]): ChainLink | null => {
  const at = chain.findIndex(link => link.cause)
  return at < 0 || at === chain.length - 1 ? null : (chain[at] ?? null)
}

const begin = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`

/** « la sonde Lyon », « l’équipement rtr-1 », « la liaison de la sonde Lyon »: names that say what they are say it once. */
export const nameOf = ({ kind, name }: Pick<ChainLink, 'kind' | 'name'>): string => {
  const noun = { probe: 'la sonde', link: 'la liaison', host: 'l’équipement', metric: 'la métrique' }[kind]
  const isSaid = name.toLowerCase().startsWith(noun.replace(/^(la |l’)/, ''))
  return isSaid ? `${noun.startsWith('la') ? 'la ' : 'l’'}${begin(name)}` : `${noun} ${name}`
}
