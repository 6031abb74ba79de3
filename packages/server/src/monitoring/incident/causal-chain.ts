import type { ChainLink } from '@narval/contracts'
import { descendantsOf, isCutOff, type MetricState, type Severity } from '@narval/engine'
import { toIso } from '../../store/time.ts'
import { isHostCutOff, parentsOf } from '../dependency.ts'
import { type HostEntry, type MetricEntry, type Model, runnerOf, SERVER_RUNNER } from '../fleet/model.ts'
import type { Opinions } from '../judge-run.ts'
import type { Presence } from '../probe/presence.ts'
import { CAUSE_TEXTS, PROBE_TITLES, probeWords, SEVERITY_WORDS, standingText } from '../texts.ts'

export interface CausalChainDeps {
  readonly model: Model
  readonly presence: Presence
  readonly opinions: Opinions
  readonly now: () => number
}

/** « Pourquoi est-ce rouge ? »: from the probe down to what is wrong, as it is known now. */
export interface CausalChains {
  ofMetric(metric: MetricEntry): ChainLink[]
  /** `isLink`: its link is in question, not the probe itself. */
  ofProbe(probeId: number, isLink: boolean, incidentId: number | null): ChainLink[]
}

/** Hosts above that one chain shows. */
const MAX_ABOVE = 12

export const createCausalChains = (deps: CausalChainDeps): CausalChains => {
  const probeLink = (probeId: number, incidentId: number | null): ChainLink | null => {
    const probe = deps.presence.probes.get(probeId)
    if (probe === undefined) return null
    const isOffline = deps.presence.state(probeId) !== 'online'
    return {
      ...{
        kind: 'probe',
        id: probeId,
        name: probe.name,
        severity: isOffline ? 'error' : 'ok',
        cause: false,
        incidentId,
      },
      state: isOffline ? 'Hors ligne' : 'En ligne',
      since: null,
      evidence: isOffline ? 'Elle ne donne plus de nouvelles.' : 'Elle donne de ses nouvelles.',
      at: probe.lastContactMs === 0 ? null : toIso(probe.lastContactMs),
    }
  }
  const wayLink = (probeId: number, life: MetricEntry | null): ChainLink | null => {
    const probe = deps.presence.probes.get(probeId)
    if (probe === undefined) return null
    const isBlamed = life?.state.hardCause === 'probe-link'
    const heard = life === null ? null : deps.opinions.weigh(life.scanner.host, probeId, deps.now())
    const told =
      heard?.opinion == null
        ? 'Aucune autre sonde n’a été interrogée.'
        : heard.verdict === 'confirmed'
          ? `La ${probeWords(heard.opinion.probeName)} constate le même échec.`
          : `L’équipement répond à la ${probeWords(heard.opinion.probeName)}.`
    return {
      ...{ kind: 'link', id: probeId, name: PROBE_TITLES.link(probe.name), cause: false, incidentId: null },
      severity: isBlamed ? 'error' : 'ok',
      state: isBlamed ? 'En cause' : 'Rien à signaler',
      since: isBlamed && life !== null ? toIso(life.state.sinceMs) : null,
      evidence: isBlamed && life !== null ? sentence(life.information) : told,
      at: heard?.opinion == null ? null : toIso(heard.opinion.atMs),
    }
  }
  return {
    ofMetric(metric) {
      const { host } = metric.scanner
      const runner = runnerOf(deps.model, (host.life ?? metric).scanner)
      const above = aboveOf(host)
      const own = [hostLink(host), metricLink(metric)]
      const probe =
        runner === null || runner === SERVER_RUNNER ? [] : [probeLink(runner, null), wayLink(runner, host.life)]
      const first = probe.filter(link => link !== null)
      // What hangs above explains it only where all of it is cut off.
      const explaining = above.isCause ? [...first, ...above.links, ...own] : [...first, ...own]
      const cause = explaining.find(({ severity }) => severity !== 'ok')
      return [...first, ...above.links, ...own].map(link => (link === cause ? { ...link, cause: true } : link))
    },
    ofProbe(probeId, isLink, incidentId) {
      const probe = probeLink(probeId, isLink ? null : incidentId)
      const way = wayLink(probeId, null)
      if (probe === null || way === null) return []
      if (!isLink) return [{ ...probe, cause: probe.severity !== 'ok' }]
      const evidence = 'Des équipements ne lui répondent plus mais répondent à une autre sonde.'
      return [probe, { ...way, severity: 'error', state: 'En cause', evidence, cause: true, incidentId }]
    },
  }
}

/** What a host hangs on: topmost first all that is cut off, else what it hangs on directly. */
const aboveOf = (host: HostEntry): { readonly links: ChainLink[]; readonly isCause: boolean } => {
  const direct = parentsOf(host)
  const failing = descendantsOf(host, one => parentsOf(one).filter(isHostCutOff))
  const answering = direct.filter(parent => !isHostCutOff(parent))
  return {
    links: [...failing.slice(-MAX_ABOVE).toReversed(), ...answering.slice(0, MAX_ABOVE)].map(hostLink),
    isCause: direct.length > 0 && answering.length === 0,
  }
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`)

const hostLink = (host: HostEntry): ChainLink => {
  const { life } = host
  const [severity, state] = life === null ? (['unknown', 'En attente'] as const) : hostWords(life.state)
  return {
    ...{ kind: 'host', id: host.id, name: host.name, severity, state, cause: false },
    since: life === null ? null : toIso(life.state.sinceMs),
    evidence:
      life === null
        ? 'Aucun contrôle ne dit s’il répond.'
        : life.state.severity === 'ok'
          ? `${life.scanner.name}\u202f: dernier contrôle réussi.`
          : `${life.scanner.name}\u202f: ${sentence(life.information || 'échec')}`,
    at: life === null || life.scanner.heardMs === 0 ? null : toIso(life.scanner.heardMs),
    incidentId: life?.incidentId ?? null,
  }
}

const hostWords = (life: MetricState): readonly [Severity, string] => {
  if (life.severity === 'ok') return ['ok', 'Disponible']
  if (life.hardSeverity === 'error') return ['error', 'Indisponible']
  if (isCutOff(life)) return ['unknown', 'Injoignable']
  if (life.hardSeverity === 'ok' || life.hardSeverity === 'warning') return ['ok', 'Échec à confirmer']
  return ['unknown', life.hardCause === 'pending' ? 'En attente' : 'Inconnu']
}

const metricLink = (metric: MetricEntry): ChainLink => {
  const { state } = metric
  const word = SEVERITY_WORDS[state.severity]
  const cause = state.severity === 'unknown' && state.cause !== null ? CAUSE_TEXTS[state.cause] : ''
  return {
    ...{ kind: 'metric', id: metric.id, name: metric.name, severity: state.severity, cause: false },
    state: state.kind === 'soft' ? `${word} (${state.attempt}/${metric.rule.attempts})` : word,
    since: toIso(state.sinceMs),
    evidence: standingText(metric) || cause,
    at: metric.heardMs === 0 ? null : toIso(metric.heardMs),
    incidentId: metric.incidentId,
  }
}
