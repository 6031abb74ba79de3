import {
  isPersonal,
  type NotificationRule,
  type NotificationRuleInput,
  notificationRuleBody,
  type RuleChoices,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { invalidField, notFound, stale } from '../../http/refusal.ts'
import { effectiveOf, type NotificationSettings } from '../../monitoring/notifier/notification-plan.ts'
import { channelKindOf, faultsOf } from '../../monitoring/notifier/notification-recipients.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { requireFreeName } from '../../store/names.ts'
import { type People, readPeople, readRules, type StoredRule } from '../../store/notification-rules.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { countThreads, insertRule, type Named, namesOf, readAdmins, updateRule } from './notification-rule.store.ts'

export interface NotificationRuleDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly settings: () => NotificationSettings
}

const MISSING = 'Cette règle n’existe pas.'

/** Rules that say who is told of what. */
export const createNotificationRuleService = ({ database, now, changes, settings }: NotificationRuleDeps) => {
  const { db } = database
  const list = async (from: Db = db, id?: number): Promise<NotificationRule[]> => {
    const rules = await readRules(from, id)
    const people = await readPeople(from)
    const sites = await namesOf(from, 'site', [...new Set(rules.flatMap(({ siteIds }) => siteIds))])
    const types = await namesOf(from, 'host_type', [...new Set(rules.flatMap(({ hostTypeIds }) => hostTypeIds))])
    const threads = await countThreads(from)
    return rules.map(rule => ({
      ...shown(rule, people, sites, types),
      ...{ effective: effectiveOf(rule, settings()), openThreads: threads.get(rule.id) ?? 0 },
    }))
  }
  const get = async (id: number, from: Db = db): Promise<NotificationRule> => {
    const [rule] = await list(from, id)
    if (rule === undefined) throw notFound(MISSING)
    return rule
  }
  const find = async (trx: Db, id: number): Promise<StoredRule> => {
    const [rule] = await readRules(trx, id)
    if (rule === undefined) throw notFound(MISSING)
    return rule
  }
  const inTurn = <T>(work: (trx: Db) => Promise<T>): Promise<T> =>
    transaction(db, async trx => {
      await lock(database, trx, 'notification-rules')
      return work(trx)
    })
  const told = (ids: readonly number[], action: 'created' | 'updated' | 'deleted'): void =>
    changes.emit({ entity: 'notification-rule', ids, action })

  return {
    list: () => list(),
    get: (id: number) => get(id),
    async choices(): Promise<RuleChoices> {
      const { accounts, groups, channels } = await readPeople(db)
      const admins = await readAdmins(db)
      return {
        accounts: [...accounts.values()]
          .filter(({ enabled }) => enabled)
          .map(({ id, name, email, phone }) => ({
            id,
            name,
            email: email !== '',
            phone: phone !== '',
            admin: admins.has(id),
          })),
        groups: [...groups.values()].map(({ id, name, memberIds }) => ({ id, name, members: memberIds.length })),
        channels: [...channels.values()].map(({ id, name, kind, enabled }) => {
          const known = channelKindOf(kind)
          return { id, name, kind: known, personal: isPersonal(known), enabled }
        }),
      }
    },
    async create(viewer: Viewer, input: NotificationRuleInput): Promise<NotificationRule> {
      const id = await inTurn(async trx => {
        await check(trx, input, 0)
        const made = await insertRule(trx, input, viewer.login, now())
        await auditChange(trx, { ...entry(viewer, 'create', made, input.name), before: null, after: input }, now())
        return made
      })
      told([id], 'created')
      return get(id)
    },
    async update(
      viewer: Viewer,
      id: number,
      body: NotificationRuleInput & { updatedAt: string },
    ): Promise<NotificationRule> {
      const input = notificationRuleBody.parse(body)
      await inTurn(async trx => {
        const before = await find(trx, id)
        if (before.updatedMs !== fromIso(body.updatedAt)) throw stale(await get(id, trx), before.updatedBy)
        await check(trx, input, id)
        await updateRule(trx, id, input, viewer.login, Math.max(now(), before.updatedMs + 1))
        const was = notificationRuleBody.parse(before)
        await auditChange(trx, { ...entry(viewer, 'update', id, input.name), before: was, after: input }, now())
      })
      told([id], 'updated')
      return get(id)
    },
    async delete(viewer: Viewer, id: number): Promise<{ deleted: boolean }> {
      await inTurn(async trx => {
        const before = await find(trx, id)
        // Not left to the foreign key alone: the conversation goes on to its end without its rule.
        await trx.updateTable('notification_thread').set({ rule_id: null }).where('rule_id', '=', id).execute()
        await trx.deleteFrom('notification_rule').where('id', '=', id).execute()
        const was = notificationRuleBody.parse(before)
        await auditChange(trx, { ...entry(viewer, 'delete', id, before.name), before: was, after: null }, now())
      })
      told([id], 'deleted')
      return { deleted: true }
    },
    /** Rules that are not named keep their order, after those that are. */
    async order(viewer: Viewer, ids: readonly number[]): Promise<NotificationRule[]> {
      await inTurn(async trx => {
        const rules = await readRules(trx)
        const known = new Map(rules.map(rule => [rule.id, rule]))
        if (new Set(ids).size !== ids.length) throw invalidField('ids', 'Une règle ne figure qu’une fois.')
        if (ids.some(id => !known.has(id))) throw invalidField('ids', MISSING)
        const wanted = [...ids, ...rules.map(({ id }) => id).filter(id => !ids.includes(id))]
        for (const [index, id] of wanted.entries()) {
          const rule = known.get(id)
          if (rule === undefined || rule.position === index + 1) continue
          await trx
            .updateTable('notification_rule')
            .set({ position: index + 1 })
            .where('id', '=', id)
            .execute()
          const change = { before: { position: rule.position }, after: { position: index + 1 } }
          await auditChange(trx, { ...entry(viewer, 'update', id, rule.name), ...change }, now())
        }
      })
      told(ids, 'updated')
      return list()
    },
  }
}
export type NotificationRuleService = ReturnType<typeof createNotificationRuleService>

const entry = (viewer: Viewer, what: 'create' | 'update' | 'delete', id: number, name: string) =>
  ({ action: `notification-rule-${what}`, actor: viewer.login, object: `notification-rule ${id}`, name }) as const

const shown = (
  rule: StoredRule,
  people: People,
  sites: ReadonlyMap<number, Named>,
  types: ReadonlyMap<number, Named>,
) => {
  const { id, position, createdMs, updatedMs, updatedBy, ...input } = rule
  const ids = (key: 'accountIds' | 'groupIds' | 'channelIds'): number[] => [
    ...new Set(rule.steps.flatMap(step => step[key])),
  ]
  const named = (from: ReadonlyMap<number, Named>, wanted: readonly number[]): Named[] =>
    wanted.flatMap(one => {
      const found = from.get(one)
      return found === undefined ? [] : [{ id: found.id, name: found.name }]
    })
  const lost = (from: ReadonlyMap<number, Named>, wanted: readonly number[], what: string): string[] =>
    wanted.length > 0 && wanted.every(one => !from.has(one))
      ? [`${what} ont été supprimés\u202f: la règle ne concerne plus rien.`]
      : []
  return {
    ...input,
    ...{ id, position, createdAt: toIso(createdMs), updatedAt: toIso(updatedMs), updatedBy },
    ...{ sites: named(sites, rule.siteIds), hostTypes: named(types, rule.hostTypeIds) },
    ...{ accounts: named(people.accounts, ids('accountIds')), groups: named(people.groups, ids('groupIds')) },
    channels: named(people.channels, ids('channelIds')).map(one => ({
      ...one,
      personal: isPersonal(channelKindOf(people.channels.get(one.id)?.kind ?? '')),
    })),
    faults: [
      ...lost(sites, rule.siteIds, 'Les sites choisis'),
      ...lost(types, rule.hostTypeIds, 'Les types d’équipement choisis'),
      ...faultsOf(rule.steps, people),
    ],
  }
}

/** @throws when the name is taken, or something that it names does not exist. */
const check = async (trx: Db, input: NotificationRuleInput, id: number): Promise<void> => {
  await requireFreeName(trx, 'notification_rule', input.name, id, held => `La règle « ${held} » existe déjà.`)
  const sites = await namesOf(trx, 'site', input.siteIds)
  if (input.siteIds.some(one => !sites.has(one))) throw invalidField('siteIds', 'Un de ces sites n’existe pas.')
  const types = await namesOf(trx, 'host_type', input.hostTypeIds)
  if (input.hostTypeIds.some(one => !types.has(one)))
    throw invalidField('hostTypeIds', 'Un de ces types d’équipement n’existe pas.')
  const { accounts, groups, channels } = await readPeople(trx)
  for (const [index, step] of input.steps.entries()) {
    const refuse = (field: string, sentence: string) => invalidField(`steps.${index}.${field}`, sentence)
    if (step.accountIds.some(one => !accounts.has(one))) throw refuse('accountIds', 'Un de ces comptes n’existe pas.')
    if (step.groupIds.some(one => !groups.has(one))) throw refuse('groupIds', 'Un de ces groupes n’existe pas.')
    if (step.channelIds.some(one => !channels.has(one))) throw refuse('channelIds', 'Un de ces canaux n’existe pas.')
  }
}
