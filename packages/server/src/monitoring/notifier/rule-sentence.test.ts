import { NO_THRESHOLDS } from '@narval/contracts'
import { evaluateMetric, initialMetricState, type MetricInput, NO_COUNTS } from '@narval/engine'
import { beforeEach, describe, expect, it } from 'vitest'
import { PLAIN_RULES } from '../../testing/rules.ts'
import type { HostEntry, MetricEntry, ScannerEntry, SiteEntry } from '../fleet/model.ts'
import { ruleSentences } from './rule-sentence.ts'

const site: SiteEntry = {
  ...{ id: 1, name: 'Lyon', folded: 'lyon', hosts: new Map(), counts: NO_COUNTS },
  maintenance: null,
}
const newHost = (): HostEntry => ({
  ...{ id: 1, name: 'srv', folded: 'srv', site, enabled: true, createdMs: 0, lifeScannerId: null },
  facts: {
    ...{ address: '', tags: '', typeId: null, typeName: null, modelId: null, modelName: null },
    ...{ probeId: null, probeName: null, updatedMs: 0 },
  },
  rules: PLAIN_RULES,
  ...{ scanners: new Map(), parents: [], children: [], vouchedMs: Number.NEGATIVE_INFINITY, cutBy: null },
  ...{ maintenance: null, life: null, counts: NO_COUNTS, state: 'available', severity: 'ok', sinceMs: 0 },
})
const newScanner = (host: HostEntry): ScannerEntry => ({
  ...{ id: 1, name: 'CPU', folded: 'cpu', kind: 'snmp', host, probeId: 1, intervalMs: 60_000, rules: PLAIN_RULES },
  ...{ retryMs: 20_000, staleMs: 180_000, enabled: true, ownMachine: false, silenceIsError: false },
  metrics: new Map(),
  ...{ heardMs: 0, lastRunMs: 0, lastProbeId: null, lastDurationMs: 1, lastError: null },
})

describe('which rule gave a state', () => {
  let metric: MetricEntry
  beforeEach(() => {
    metric = {
      ...{ id: 1, key: 'cpu', name: 'Charge', folded: 'charge', unit: 'ratio', type: 'gauge', enabled: true },
      rule: {
        thresholds: { ...NO_THRESHOLDS, warningHigh: 0.8, errorHigh: 0.95 },
        ...{ attempts: 3, noData: 'unknown', opensIncident: true, flapping: PLAIN_RULES.flappingRule },
      },
      ...{ rules: PLAIN_RULES, scanner: newScanner(newHost()), state: initialMetricState(0), information: '' },
      ...{ incidentId: null, explainedBy: null, maintenance: null, acknowledged: false },
      ...{ value: null, atMs: null, raw: null, heardMs: 0 },
    }
  })
  const judge = (input: MetricInput, times = 1) => {
    for (let index = 0; index < times; index++) {
      metric.state = evaluateMetric(metric.state, input, metric.rule, 60_000 * (index + 1)).state
      if (input.type === 'value') metric.value = input.value
    }
  }
  const told = () => ruleSentences(metric, 'modèle Serveur Linux', 'Lyon').map(text => text.replaceAll('\u202f', ' '))

  it('a confirmed error: the attempts, the value, its threshold and who says it', () => {
    judge({ type: 'value', value: 0.974 }, 3)
    expect(told()).toEqual([
      'Erreur confirmée après 3 résultats sur 3 : 97,4 % > 95 % (seuil d’erreur haut, modèle Serveur Linux).',
    ])
  })

  it('one that is not confirmed says how far it is, and what still holds', () => {
    judge({ type: 'value', value: 0.5 })
    expect(told()).toEqual(['OK : 50 %, dans les seuils (modèle Serveur Linux).'])
    judge({ type: 'value', value: 0.85 }, 2)
    expect(told()).toEqual([
      'Alerte à confirmer, 2 mauvais résultats sur 3 : 85 % > 80 % (seuil d’alerte haut, modèle Serveur Linux).',
      'L’état confirmé reste OK.',
    ])
  })

  it('a value between the threshold and where it ends says that it has not come back by enough', () => {
    judge({ type: 'value', value: 0.85 }, 3)
    judge({ type: 'value', value: 0.78 })
    expect(told()).toEqual([
      'Alerte confirmée après 3 résultats sur 3 : 78 % n’est pas revenu à 76 % ou moins, la valeur de retour du seuil d’alerte haut (modèle Serveur Linux).',
    ])
  })

  it('silence says for how long and by which rule, a silent probe its name, a metric of which nothing was heard that', () => {
    expect(told()).toEqual(['Inconnu : en attente du premier résultat.'])
    judge({ type: 'unknown', cause: 'no-data' }, 3)
    expect(told()).toEqual(['Inconnu : sans nouvelles depuis plus de 180 s (3 intervalles, 90 s au moins).'])
    judge({ type: 'unknown', cause: 'probe-offline' })
    expect(told()).toEqual(['Inconnu : la sonde Lyon est hors ligne, rien n’est mesuré.'])
  })

  it('one that flaps says by how much, and what starts and ends it', () => {
    for (let index = 0; index < 22; index++) judge({ type: 'value', value: index % 2 === 0 ? 0.1 : 0.97 })
    expect(told().at(-1)).toBe(
      'Bagote : 100 % de changements d’état parmi les 21 derniers résultats (début à 30 %, fin sous 25 %). Rien n’est annoncé d’ici là.',
    )
  })

  it('why it has no incident to itself: another explains it, its host is down, or a parent is in doubt', () => {
    judge({ type: 'value', value: 0.97, suppressed: true }, 3)
    const life = { ...metric, state: { ...metric.state, hardSeverity: 'error' as const } }
    metric.scanner.host.life = life
    expect(told().at(-1)).toBe('Aucun incident à elle : l’équipement est indisponible, son incident le dit.')
    Object.assign(metric, { incidentId: 4, explainedBy: 3 })
    expect(told().at(-1)).toBe('Son incident est expliqué par un autre (nº 3).')
  })

  it('what is disabled is judged by no rule', () => {
    metric = { ...metric, enabled: false }
    expect(told()).toEqual(['Aucune règle ne s’applique : la métrique est désactivée.'])
  })
})
