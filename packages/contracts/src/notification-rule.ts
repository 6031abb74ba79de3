import { SEND_KINDS } from '@narval/engine'
import * as z from 'zod/mini'
import { CHANNEL_KINDS } from './notification-channel.ts'
import { isLocalMinute, notificationPeriod } from './notification-period.ts'
import { route } from './route.ts'
import { basedOn, idParams, idText, idValue, instant, requiredLine, stamps, timeZone } from './schema.ts'

/** What a rule may be about: the life test of an equipment, any other metric, a probe, the link of a probe. */
export const RULE_KINDS = ['host', 'metric', 'probe', 'link'] as const
export type RuleKind = (typeof RULE_KINDS)[number]
/** Severities that people are told of. */
export const RULE_SEVERITIES = ['error', 'warning', 'unknown'] as const

export const MAX_RULE_STEPS = 10
const MAX_CHOICES = 200
const WEEK_MINUTES = 10_080

const some = <T extends z.ZodMiniType>(one: T, why: string) =>
  z.array(one).check(
    z.refine(list => list.length > 0, why),
    z.refine(list => new Set(list).size === list.length, 'Chaque choix ne figure qu’une fois'),
  )
const ids = z.array(idValue).check(
  z.maxLength(MAX_CHOICES),
  z.refine(list => new Set(list).size === list.length, 'Chaque choix ne figure qu’une fois'),
)

/** Who is told, and by which channels, from a moment on the clock of escalation, which starts with the first message. */
export const ruleStep = z
  .object({
    afterMinutes: z.int().check(z.minimum(0), z.maximum(WEEK_MINUTES)),
    /** From then on they get no news and no reminders, only the end; null: to the end. */
    untilMinutes: z.nullable(z.int().check(z.minimum(1), z.maximum(2 * WEEK_MINUTES))),
    accountIds: ids,
    groupIds: ids,
    channelIds: ids.check(z.refine(list => list.length > 0, 'Choisissez au moins un canal')),
  })
  .check(
    z.refine(step => step.untilMinutes === null || step.untilMinutes > step.afterMinutes, {
      error: 'La fin d’une étape suit son début',
      path: ['untilMinutes'],
    }),
  )
export type RuleStep = z.output<typeof ruleStep>

const fields = {
  name: requiredLine(100),
  enabled: z.boolean(),
  severities: some(z.enum(RULE_SEVERITIES), 'Choisissez au moins une gravité'),
  kinds: some(z.enum(RULE_KINDS), 'Choisissez au moins un genre d’incident'),
  /** With those below them; none: all. */
  siteIds: ids,
  /** None: all; a probe and its link have none. */
  hostTypeIds: ids,
  /** One of them is enough; none: all. */
  tags: z.array(requiredLine(40)).check(z.maxLength(50)),
  period: notificationPeriod,
  steps: z.array(ruleStep).check(
    z.refine(steps => steps.length > 0, 'Une règle a au moins une étape'),
    z.maxLength(MAX_RULE_STEPS),
    z.refine(steps => steps.every((step, index) => step.afterMinutes >= (steps[index - 1]?.afterMinutes ?? 0)), {
      error: 'Les étapes se suivent dans le temps',
    }),
  ),
  /** Null: as the settings say. */
  waitSeconds: z.nullable(z.int().check(z.minimum(0), z.maximum(3_600))),
  newsMinutes: z.nullable(z.int().check(z.minimum(1), z.maximum(1_440))),
  /** 0: no reminders. */
  reminderMinutes: z.nullable(z.int().check(z.minimum(0), z.maximum(WEEK_MINUTES))),
  tellRecovery: z.boolean(),
  /** Whether what begins and ends within the wait is told. */
  tellBrief: z.boolean(),
  /** Whether rules after it are left out of what it is about. */
  stop: z.boolean(),
}
export const notificationRuleBody = z.object(fields)
export const notificationRuleUpdateBody = z.object({ ...fields, ...basedOn })
export type NotificationRuleInput = z.output<typeof notificationRuleBody>

const namedFields = { id: idValue, name: z.string() }
const named = z.object(namedFields)
export const notificationRule = z.object({
  ...stamps,
  ...fields,
  /** Rules are tried in this order, from 1. */
  position: z.int(),
  /** Names of what its ids are. */
  sites: z.array(named),
  hostTypes: z.array(named),
  accounts: z.array(named),
  groups: z.array(named),
  channels: z.array(z.object({ ...namedFields, personal: z.boolean() })),
  /** What keeps it from reaching somebody, in sentences. */
  faults: z.array(z.string()),
  /** In force, its own or the settings'. */
  effective: z.object({ waitSeconds: z.int(), newsMinutes: z.int(), reminderMinutes: z.int() }),
  /** Conversations under way. */
  openThreads: z.int(),
})
export type NotificationRule = z.output<typeof notificationRule>

/** Whom and what a rule may name. */
export const ruleChoices = z.object({
  accounts: z.array(
    z.object({ id: idValue, name: z.string(), email: z.boolean(), phone: z.boolean(), admin: z.boolean() }),
  ),
  groups: z.array(z.object({ id: idValue, name: z.string(), members: z.int() })),
  channels: z.array(
    z.object({
      id: idValue,
      name: z.string(),
      kind: z.enum(CHANNEL_KINDS),
      /** It writes to an address of each person. */
      personal: z.boolean(),
      enabled: z.boolean(),
    }),
  ),
})
export type RuleChoices = z.output<typeof ruleChoices>

export const simulationBody = z.object({
  objectKind: z.enum(RULE_KINDS),
  /** Of the equipment, the metric or the probe. */
  objectId: idValue,
  severity: z.enum(RULE_SEVERITIES),
  at: z.string().check(z.refine(isLocalMinute, 'Une date qui existe, de 2000 à 2100, et une heure sont attendues')),
  /** Of `at`; left out: that of the site. */
  timeZone: z.optional(timeZone),
  acknowledgedAfterMinutes: z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(WEEK_MINUTES))), null),
  /** When it ends; null: not within the day that is simulated. */
  endsAfterMinutes: z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(WEEK_MINUTES))), null),
})
export type SimulationInput = z.output<typeof simulationBody>

export const simulatedSend = z.object({
  at: instant,
  afterSeconds: z.int(),
  kind: z.enum(SEND_KINDS),
  ruleId: idValue,
  ruleName: z.string(),
  /** From 1. */
  step: z.int(),
  /** Null: the channel's own place. */
  person: z.nullable(z.string()),
  channelId: idValue,
  channelName: z.string(),
  channelKind: z.enum(CHANNEL_KINDS),
  /** Masked. */
  address: z.string(),
  /** Why it would not arrive; null: it would. */
  fault: z.nullable(z.string()),
})
export type SimulatedSend = z.output<typeof simulatedSend>

export const simulation = z.object({
  at: instant,
  timeZone: z.string(),
  /** What fails, as its incident would be called. */
  title: z.string(),
  siteName: z.nullable(z.string()),
  /** In metropolitan France, or in the region of the first rule that knows one. */
  holiday: z.nullable(z.string()),
  sends: z.array(simulatedSend),
  /** Beyond what is listed. */
  more: z.int(),
  rules: z.array(
    z.object({
      id: idValue,
      name: z.string(),
      position: z.int(),
      applies: z.boolean(),
      /** Why it does not, or what to know of it. */
      reasons: z.array(z.string()),
    }),
  ),
})
export type Simulation = z.output<typeof simulation>

/** Who would be told that an equipment fails, rule by rule. */
export const hostRecipients = z.object({
  rules: z.array(
    z.object({
      id: idValue,
      name: z.string(),
      severities: z.array(z.enum(RULE_SEVERITIES)),
      period: notificationPeriod,
      /** Within its period now. */
      active: z.boolean(),
      steps: z.array(
        z.object({
          afterMinutes: z.int(),
          recipients: z.array(
            z.object({ person: z.nullable(z.string()), channelName: z.string(), fault: z.nullable(z.string()) }),
          ),
        }),
      ),
    }),
  ),
})
export type HostRecipients = z.output<typeof hostRecipients>

const access = 'notification_write'
export const notificationRuleRoutes = {
  list: route({
    method: 'GET',
    path: '/api/NotificationRule/Get',
    access,
    summary: 'Toutes les règles de notification, dans leur ordre',
    reply: z.array(notificationRule),
  }),
  choices: route({
    method: 'GET',
    path: '/api/NotificationRule/Choices',
    access,
    summary: 'Les comptes, groupes et canaux qu’une règle peut nommer',
    reply: ruleChoices,
  }),
  recipients: route({
    method: 'GET',
    path: '/api/NotificationRule/Recipients',
    access: 'user',
    summary: 'Qui serait prévenu d’une panne d’un équipement',
    query: z.object({ host: idText }),
    reply: hostRecipients,
  }),
  get: route({
    method: 'GET',
    path: '/api/NotificationRule/Get/:id',
    access,
    summary: 'Une règle de notification',
    params: idParams,
    reply: notificationRule,
  }),
  create: route({
    method: 'POST',
    path: '/api/NotificationRule/Create',
    access,
    summary: 'Créer une règle de notification, après les autres',
    body: notificationRuleBody,
    status: 201,
    reply: notificationRule,
  }),
  update: route({
    method: 'PUT',
    path: '/api/NotificationRule/Update/:id',
    access,
    summary: 'Modifier une règle de notification',
    params: idParams,
    body: notificationRuleUpdateBody,
    reply: notificationRule,
  }),
  delete: route({
    method: 'DELETE',
    path: '/api/NotificationRule/Delete/:id',
    access,
    summary: 'Supprimer une règle de notification\u202f: ceux qu’elle a prévenus le sont encore de la fin',
    params: idParams,
    reply: z.object({ deleted: z.boolean() }),
  }),
  order: route({
    method: 'PUT',
    path: '/api/NotificationRule/Order',
    access,
    summary: 'Donner l’ordre dans lequel les règles sont essayées',
    body: z.object({ ids: z.array(idValue).check(z.maxLength(1_000)) }),
    reply: z.array(notificationRule),
  }),
  simulate: route({
    method: 'POST',
    path: '/api/NotificationRule/Simulate',
    access,
    rate: 'heavy',
    summary: 'Qui serait prévenu si un objet tombait en panne à un moment donné, et pourquoi pas les autres',
    body: simulationBody,
    reply: simulation,
  }),
} as const
