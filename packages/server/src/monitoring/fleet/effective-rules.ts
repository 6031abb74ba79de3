import { RULE_KEYS, type RuleValues } from '@narval/contracts'
import type { FlappingRule } from '@narval/engine'
import type { RuleRows } from '../../store/rule-rows.ts'

/** The rules in force for an object, inheritance resolved. Equal ones are one object: a fleet has a handful. */
export interface EffectiveRules extends RuleValues {
  /** Equal rules, equal key. */
  readonly key: string
  /** Null: changes of severity are not looked at. */
  readonly flappingRule: FlappingRule | null
  /** Of the two that scanners have too: whether the platform says them. */
  readonly isPlatform: { readonly attempts: boolean; readonly retryIntervalSeconds: boolean }
}
export type OwnRules = Partial<RuleValues>

/** What is nearer goes before what is farther. */
export const overlaid = (inherited: RuleValues, own: OwnRules | undefined): RuleValues => ({ ...inherited, ...own })

/** The rules among the platform's settings. */
export const platformRules = (settings: RuleValues): RuleValues => ({
  attempts: settings.attempts,
  retryIntervalSeconds: settings.retryIntervalSeconds,
  hysteresisPercent: settings.hysteresisPercent,
  flapping: settings.flapping,
  flappingStartPercent: settings.flappingStartPercent,
  flappingEndPercent: settings.flappingEndPercent,
  silenceFactor: settings.silenceFactor,
  silenceFloorSeconds: settings.silenceFloorSeconds,
  reopenMinutes: settings.reopenMinutes,
  acknowledgeHours: settings.acknowledgeHours,
  firstNotificationMinutes: settings.firstNotificationMinutes,
  secondOpinion: settings.secondOpinion,
  dependencies: settings.dependencies,
})

/** Resolves the rules of a fleet: platform → sites from the top → models → host → scanner → metric. */
export interface RuleBook {
  ofHost(hostId: number, siteId: number): EffectiveRules
  ofScanner(scannerId: number, host: EffectiveRules, columns: OwnRules): EffectiveRules
  ofMetric(metricId: number, scanner: EffectiveRules, columns: OwnRules): EffectiveRules
}

/** `known`: rules that objects have already, each once. */
export const createRuleBook = (
  settings: RuleValues,
  rows: RuleRows,
  known: Map<string, EffectiveRules> = new Map(),
): RuleBook => {
  /** The one object for these values; the end of flapping is never beyond its start. */
  const one = (values: RuleValues): EffectiveRules => {
    const key = RULE_KEYS.map(name => Number(values[name])).join(' ')
    const held = known.get(key)
    if (held !== undefined) return held
    const { flapping, flappingStartPercent: startPercent, flappingEndPercent } = values
    const endPercent = Math.min(flappingEndPercent, startPercent)
    const flappingRule = flapping ? { startPercent, endPercent } : null
    const isPlatform = {
      attempts: values.attempts === settings.attempts,
      retryIntervalSeconds: values.retryIntervalSeconds === settings.retryIntervalSeconds,
    }
    const made = { ...values, key, flappingRule, isPlatform }
    known.set(key, made)
    return made
  }
  const laid = (inherited: EffectiveRules, own: OwnRules | undefined): EffectiveRules =>
    own === undefined || isSaid(inherited, own) ? inherited : one(overlaid(inherited, own))

  const platform = one(platformRules(settings))
  const sites = new Map<number, EffectiveRules>()
  const ofSite = (siteId: number): EffectiveRules => {
    const held = sites.get(siteId)
    if (held !== undefined) return held
    // Before going up: a circle of sites, which nobody can save, would end here.
    sites.set(siteId, platform)
    const parent = rows.parents.get(siteId) ?? null
    const made = laid(parent === null ? platform : ofSite(parent), rows.own.site.get(siteId))
    sites.set(siteId, made)
    return made
  }
  return {
    ofHost(hostId, siteId) {
      const models = rows.models.get(hostId) ?? []
      const ofModels = models.reduceRight((rules, id) => laid(rules, rows.own.model.get(id)), ofSite(siteId))
      return laid(ofModels, rows.own.host.get(hostId))
    },
    ofScanner: (id, host, columns) => laid(laid(host, rows.own.scanner.get(id)), columns),
    ofMetric: (id, scanner, columns) => laid(laid(scanner, rows.own.metric.get(id)), columns),
  }
}

/** True when these values change nothing: most objects say none. */
const isSaid = (rules: RuleValues, own: OwnRules): boolean =>
  RULE_KEYS.every(key => own[key] === undefined || own[key] === rules[key])
