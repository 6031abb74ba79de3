import * as z from 'zod/mini'
import { route } from './route.ts'
import { idText, instant, nullableId } from './schema.ts'
import type { Settings } from './setting.ts'

/** Where rules of judging can be set, each going before those on its left: what is nearest to the metric counts. */
export const RULE_SCOPES = ['site', 'model', 'host', 'scanner', 'metric'] as const
export type RuleScope = (typeof RULE_SCOPES)[number]
export const ruleScope = z.enum(RULE_SCOPES)

interface RulePlaces {
  /** Scopes that set it by `RuleSetting`. */
  readonly own: readonly RuleScope[]
  /** Scopes that set it by a field of the object itself. */
  readonly form: readonly RuleScope[]
}
const everywhere: RulePlaces = { own: RULE_SCOPES, form: [] }
const ofHosts: RulePlaces = { own: ['site', 'model', 'host'], form: [] }

/** The settings of the platform (`SETTINGS`) that objects may have of their own, in the order of forms. */
export const RULE_PLACES = {
  attempts: { own: ['site', 'model', 'host'], form: ['scanner', 'metric'] },
  retryIntervalSeconds: { own: ['site', 'model', 'host'], form: ['scanner'] },
  hysteresisPercent: everywhere,
  flapping: everywhere,
  flappingStartPercent: everywhere,
  flappingEndPercent: everywhere,
  // A scanner is silent as a whole.
  silenceFactor: { own: ['site', 'model', 'host', 'scanner'], form: [] },
  silenceFloorSeconds: { own: ['site', 'model', 'host', 'scanner'], form: [] },
  reopenMinutes: everywhere,
  acknowledgeHours: everywhere,
  firstNotificationMinutes: everywhere,
  secondOpinion: ofHosts,
  dependencies: ofHosts,
} as const satisfies Partial<Record<keyof Settings, RulePlaces>>
export type RuleKey = keyof typeof RULE_PLACES
const isRuleKey = (key: string): key is RuleKey => Object.hasOwn(RULE_PLACES, key)
export const RULE_KEYS = Object.keys(RULE_PLACES).filter(isRuleKey)
export const rulePlaces = (key: RuleKey): RulePlaces => RULE_PLACES[key]

/** Every rule with the value in force. */
export type RuleValues = Pick<Settings, RuleKey>

/** Who says a value: the product's default, the platform's setting, a kind of check, or an object (id and name). */
export const ruleOrigin = z.object({
  scope: z.enum(['default', 'platform', 'kind', ...RULE_SCOPES]),
  id: nullableId,
  name: z.string(),
})
export type RuleOrigin = z.output<typeof ruleOrigin>

const value = z.union([z.int(), z.boolean()])
export const ruleSetting = z.object({
  key: z.string(),
  label: z.string(),
  help: z.string(),
  type: z.enum(['integer', 'boolean']),
  unit: z.string(),
  min: z.nullable(z.int()),
  max: z.nullable(z.int()),
  /** Of this object; null: it inherits. */
  own: z.nullable(value),
  value,
  origin: ruleOrigin,
  /** What would hold without its own. */
  inherited: z.object({ value, origin: ruleOrigin }),
  /** Where it is set for this object: `here`, in the object's own `form`, or only `above` it. */
  place: z.enum(['here', 'form', 'above']),
})
export type RuleSetting = z.output<typeof ruleSetting>

export const ruleSettings = z.object({ rules: z.array(ruleSetting) })
export type RuleSettings = z.output<typeof ruleSettings>

export const ruleSettingBody = z.object({
  /** By key; null goes back to what is inherited, what is left out stays. */
  values: z.record(z.string().check(z.maxLength(40)), z.nullable(value)),
})
export type RuleSettingInput = z.output<typeof ruleSettingBody>

/** Thresholds of a metric in force, each with where it ends and who says it. */
const thresholdInForce = z.object({
  side: z.enum(['warningHigh', 'warningLow', 'errorHigh', 'errorLow']),
  value: z.number(),
  /** From where on it is good again. */
  clear: z.number(),
  /** True while the value crossed it and has not come back by as much. */
  raised: z.boolean(),
  origin: ruleOrigin,
})

/** Which rule gave a metric its present state. */
export const metricRule = z.object({
  /** The present state explained, in sentences. */
  sentences: z.array(z.string()),
  /** Since when the state holds. */
  since: instant,
  flapping: z.boolean(),
  /** Weighted share of changes of severity among its last results. */
  flappingPercent: z.number(),
  thresholds: z.array(thresholdInForce),
  rules: z.array(ruleSetting),
})
export type MetricRuleReply = z.output<typeof metricRule>

export const ruleSettingRoutes = {
  get: route({
    method: 'GET',
    path: '/api/RuleSetting/Get',
    access: 'user',
    summary: 'Les règles en vigueur pour un objet, et d’où vient chacune',
    query: z.object({ scope: ruleScope, id: idText }),
    reply: ruleSettings,
  }),
  update: route({
    method: 'PUT',
    path: '/api/RuleSetting/:scope/:id',
    /** And the right to change the object itself. */
    access: 'user',
    rate: 'heavy',
    summary: 'Donner des règles à un objet, ou les lui retirer',
    params: z.object({ scope: ruleScope, id: idText }),
    body: ruleSettingBody,
    reply: ruleSettings,
  }),
} as const
