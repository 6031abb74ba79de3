import {
  type HostRecipients,
  instantOf,
  type NotificationRuleInput,
  type PeriodState,
  periodStateAt,
  type SimulatedSend,
  type Simulation,
  type SimulationInput,
} from '@narval/contracts'
import { type IncidentView, planGroup, type Send, type Thread } from '@narval/engine'
import type { Viewer } from '../../http/caller.ts'
import { invalidField, notFound } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { periodsAt, type Refusal, refusalsOf, type Subject } from '../../monitoring/notifier/notification-match.ts'
import { type NotificationSettings, planOf } from '../../monitoring/notifier/notification-plan.ts'
import { channelKindOf, readRecipientKey, recipientsOf } from '../../monitoring/notifier/notification-recipients.ts'
import { failureTitle, subjectOf } from '../../monitoring/notifier/notifier-facts.ts'
import { PROBE_TITLES } from '../../monitoring/texts.ts'
import type { Database } from '../../store/database.ts'
import { type People, readPeople, readRules, readSiteParents, type StoredRule } from '../../store/notification-rules.ts'
import { toIso } from '../../store/time.ts'
import { seesHost } from '../../store/visible.ts'

export interface SimulatorDeps {
  readonly database: Database
  readonly monitoring: Pick<Monitoring, 'model'>
  readonly settings: () => NotificationSettings
  readonly now: () => number
}

const MINUTE_MS = 60_000
/** What is simulated, and how finely: the planner gives the same at any cadence. */
const HORIZON_MS = 24 * 60 * MINUTE_MS
const FINE_MS = 2 * MINUTE_MS
const MAX_SENDS = 200

/** « Qui est prévenu si… »: the planner itself, on a clock that is not the wall's. */
export const createSimulator = ({ database, monitoring, settings, now }: SimulatorDeps) => {
  const { db } = database
  const read = async () => ({
    ...{ rules: await readRules(db), people: await readPeople(db), siteParents: await readSiteParents(db) },
    settings: settings(),
  })
  return {
    async simulate(_viewer: Viewer, input: SimulationInput): Promise<Simulation> {
      const object = await objectOf(database, monitoring, input)
      const known = await read()
      const timeZone = input.timeZone ?? object.timeZone
      const startMs = instantOf(timeZone, input.at)
      if (Number.isNaN(startMs)) throw invalidField('at', 'Une date et une heure sont attendues.')
      const scene: Scene = { ...known, input, startMs, subject: object.subject }
      const standing = standingOf(scene)
      const sends = play(scene)
      const holidays = known.rules.map(({ period }) => periodStateAt(period, startMs).holiday)
      const own = periodStateAt({ timeZone, hours: [], holidays: 'ordinary', region: 'metropole' }, startMs).holiday
      return {
        ...{ at: toIso(startMs), timeZone, title: object.title, siteName: object.siteName },
        holiday: own ?? holidays.find(holiday => holiday !== null) ?? null,
        ...{ sends: sends.slice(0, MAX_SENDS), more: Math.max(0, sends.length - MAX_SENDS) },
        rules: known.rules.map(rule => {
          const reasons = standing.get(rule.id) ?? []
          return { id: rule.id, name: rule.name, position: rule.position, applies: reasons.length === 0, reasons }
        }),
      }
    },
    async recipients(viewer: Viewer, hostId: number): Promise<HostRecipients> {
      const host = monitoring.model.hosts.get(hostId)
      if (host === undefined || !seesHost(viewer)(host)) throw notFound('Cet équipement n’existe pas.')
      const { rules, people, siteParents } = await read()
      const subject = [subjectOf('host', host), subjectOf('metric', host)]
      const nowMs = now()
      const about = rules.filter(rule => {
        const severity = rule.severities[0] ?? 'error'
        return refusalsOf(rule, subject, severity, siteParents, { inside: true, holiday: null }).length === 0
      })
      return { rules: about.map(rule => recipientsOfRule(rule, people, nowMs)) }
    },
  }
}
export type Simulator = ReturnType<typeof createSimulator>

const recipientsOfRule = (rule: StoredRule, people: People, nowMs: number): HostRecipients['rules'][number] => ({
  ...{ id: rule.id, name: rule.name, severities: rule.severities, period: rule.period },
  active: periodStateAt(rule.period, nowMs).inside,
  steps: rule.steps.map(step => ({
    afterMinutes: step.afterMinutes,
    recipients: recipientsOf(step, people).map(({ accountId, channelId, fault }) => ({
      person: accountId === null ? null : (people.accounts.get(accountId)?.name ?? null),
      channelName: people.channels.get(channelId)?.name ?? `n° ${channelId}`,
      fault,
    })),
  })),
})

interface SimulatedObject {
  readonly title: string
  readonly subject: Subject
  readonly siteName: string | null
  readonly timeZone: string
}

/** @throws 404 when it does not exist. */
const objectOf = async (
  database: Database,
  { model }: Pick<Monitoring, 'model'>,
  { objectKind, objectId }: SimulationInput,
): Promise<SimulatedObject> => {
  const { db } = database
  const zoneOf = async (siteId: number | null): Promise<string> => {
    const site = await db
      .selectFrom('site')
      .select('time_zone')
      .where('id', '=', siteId ?? 0)
      .executeTakeFirst()
    return site?.time_zone ?? 'Europe/Paris'
  }
  if (objectKind === 'probe' || objectKind === 'link') {
    const probe = await db.selectFrom('probe').select(['name', 'site_id']).where('id', '=', objectId).executeTakeFirst()
    if (probe === undefined) throw notFound('Cette sonde n’existe pas.')
    const title = objectKind === 'probe' ? PROBE_TITLES.offline(probe.name) : PROBE_TITLES.linkBlamed(probe.name)
    const subject = { kind: objectKind, siteId: probe.site_id, hostTypeId: null, tags: '' }
    const siteName = model.sites.get(probe.site_id ?? 0)?.name ?? null
    return { title, subject, siteName, timeZone: await zoneOf(probe.site_id) }
  }
  const metric = objectKind === 'metric' ? model.metrics.get(objectId) : undefined
  const host = metric?.scanner.host ?? (objectKind === 'host' ? model.hosts.get(objectId) : undefined)
  if (host === undefined)
    throw notFound(objectKind === 'host' ? 'Cet équipement n’existe pas.' : 'Cette métrique n’existe pas.')
  const isLife = metric === undefined || metric === host.life
  return {
    title: failureTitle(host, metric ?? null, isLife),
    ...{ subject: subjectOf(isLife ? 'host' : 'metric', host), siteName: host.site.name },
    timeZone: await zoneOf(host.site.id),
  }
}

interface Scene {
  readonly rules: readonly StoredRule[]
  readonly people: People
  readonly siteParents: ReadonlyMap<number, number | null>
  readonly settings: NotificationSettings
  readonly input: SimulationInput
  readonly startMs: number
  readonly subject: Subject
}

const REFUSALS: Readonly<Record<Exclude<Refusal, 'period'>, string>> = {
  disabled: 'règle désactivée',
  severity: 'gravité non concernée',
  kind: 'genre d’incident non concerné',
  site: 'site non concerné',
  'host-type': 'type d’équipement non concerné',
  tags: 'aucune de ses étiquettes',
}

/** Why each rule does not apply when it begins, in words; none: it does. */
const standingOf = ({ rules, siteParents, input, startMs, subject }: Scene): Map<number, string[]> => {
  const periods = periodsAt(rules, startMs)
  let stoppedBy: string | null = null
  return new Map(
    rules.map(rule => {
      const period = periods.get(rule.id) ?? { inside: true, holiday: null }
      const reasons = refusalsOf(rule, [subject], input.severity, siteParents, period).map(refusal =>
        refusal === 'period' ? periodText(rule, period) : REFUSALS[refusal],
      )
      if (stoppedBy !== null) reasons.push(`la règle «\u202f${stoppedBy}\u202f», avant elle, arrête les suivantes`)
      else if (reasons.length === 0 && rule.stop) stoppedBy = rule.name
      return [rule.id, reasons]
    }),
  )
}

const periodText = ({ period }: NotificationRuleInput, { holiday }: PeriodState): string =>
  holiday !== null && period.holidays !== 'ordinary'
    ? `hors période\u202f: jour férié (${holiday})`
    : 'hors période à ce moment-là'

/** All that would be sent, in order of time then of rules. */
const play = (scene: Scene): SimulatedSend[] => {
  const { rules, people, settings, input, startMs } = scene
  const sent: SimulatedSend[] = []
  const threads = new Map<number, Thread[]>()
  for (let passedMs = 0; passedMs <= HORIZON_MS; passedMs += passedMs < FINE_MS ? 5_000 : MINUTE_MS / 2) {
    const atMs = startMs + passedMs
    const periods = periodsAt(rules, atMs)
    const covering = coveringAt(scene, periods)
    for (const rule of rules) {
      const own = threads.get(rule.id) ?? []
      const isCovered = covering.has(rule.id)
      if (own.length === 0 && !isCovered) continue
      const plan = planOf(rule, people, settings, { open: periods.get(rule.id)?.inside ?? false, all: true })
      const planned = planGroup(own, [viewAt(scene, passedMs, isCovered)], plan, atMs)
      threads.set(
        rule.id,
        planned.flatMap(({ thread }) => thread ?? []),
      )
      for (const send of planned.flatMap(one => one.sends)) sent.push(...toldBy(rule, send, people, atMs, passedMs))
    }
    if (isOver(input, passedMs) && [...threads.values()].flat().every(({ ended }) => ended)) break
  }
  return sent
}

const isOver = ({ endsAfterMinutes }: SimulationInput, passedMs: number): boolean =>
  endsAfterMinutes !== null && passedMs >= endsAfterMinutes * MINUTE_MS

const viewAt = ({ input, startMs }: Scene, passedMs: number, isCovered: boolean): IncidentView => {
  const closed = isOver(input, passedMs)
  const { severity, acknowledgedAfterMinutes: after } = input
  const acknowledged = after !== null && passedMs >= after * MINUTE_MS
  return {
    ...{ id: 1, severity, closed, acknowledged, flapping: false, failingMs: startMs },
    muted: !isCovered && !closed,
  }
}

const coveringAt = ({ rules, siteParents, input, subject }: Scene, periods: ReadonlyMap<number, PeriodState>) => {
  const found = new Set<number>()
  for (const rule of rules) {
    const period = periods.get(rule.id) ?? { inside: true, holiday: null }
    if (refusalsOf(rule, [subject], input.severity, siteParents, period).length > 0) continue
    found.add(rule.id)
    if (rule.stop) break
  }
  return found
}

const toldBy = (rule: StoredRule, send: Send, people: People, atMs: number, passedMs: number): SimulatedSend[] =>
  send.recipients.map(({ key, step }) => {
    const { channelId, accountId } = readRecipientKey(key)
    const channel = people.channels.get(channelId)
    const kind = channelKindOf(channel?.kind ?? '')
    const person = accountId === null ? undefined : people.accounts.get(accountId)
    const stepOf = rule.steps[step]
    const faults = stepOf === undefined ? [] : recipientsOf(stepOf, people)
    return {
      ...{ at: toIso(atMs), afterSeconds: Math.round(passedMs / 1_000), kind: send.kind },
      ...{ ruleId: rule.id, ruleName: rule.name, step: step + 1, person: person?.name ?? null },
      ...{ channelId, channelName: channel?.name ?? `n° ${channelId}`, channelKind: kind },
      address: person === undefined ? '' : masked(kind === 'sms' ? person.phone : person.email),
      fault: faults.find(one => one.key === key)?.fault ?? null,
    }
  })

/** Enough to recognise it by: « c…@exemple.fr », « +33…78 ». */
export const masked = (address: string): string => {
  if (address === '') return ''
  const [name = '', domain] = address.split('@')
  return domain === undefined ? `${address.slice(0, 3)}…${address.slice(-2)}` : `${name.slice(0, 1)}…@${domain}`
}
