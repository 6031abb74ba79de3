import {
  type Claim,
  grants,
  RULE_KEYS,
  type RuleKey,
  type RuleScope,
  type RuleSettingInput,
  type RuleSettings,
  rulePlaces,
  SETTINGS,
  type SettingValue,
} from '@narval/contracts'
import type { Changes } from '../../changes.ts'
import { type Viewer, where } from '../../http/caller.ts'
import { forbidden, invalid, notFound } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database } from '../../store/database.ts'
import { type RuleObject, readRuleObject, rulesOf } from '../../store/rule-layers.ts'
import { ruleFault, writeOwnRule } from '../../store/rule-rows.ts'
import { transaction } from '../../store/transaction.ts'
import { seesAll } from '../../store/visible.ts'

export interface RuleSettingDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  /** The platform's settings of collection, each with its origin. */
  readonly platform: () => readonly SettingValue[]
}

const READS: Readonly<Record<RuleScope, readonly Claim[]>> = {
  site: [],
  host: [],
  metric: [],
  // As scanners and models themselves.
  model: ['scanner_read', 'scanner_write'],
  scanner: ['scanner_read', 'scanner_write'],
}
/** Whoever may change the object may change its rules. */
const WRITES: Readonly<Record<RuleScope, Claim>> = {
  site: 'site_write',
  model: 'host_write',
  host: 'host_write',
  scanner: 'scanner_write',
  metric: 'metric_write',
}
const AUDITED = {
  site: 'site',
  model: 'monitoring-model',
  host: 'host',
  scanner: 'scanner',
  metric: 'metric',
} as const satisfies Record<RuleScope, string>

export const createRuleSettingService = (deps: RuleSettingDeps) => {
  const { database, now, changes, monitoring } = deps
  const find = async (viewer: Viewer, scope: RuleScope, id: number): Promise<RuleObject> => {
    const wanted = READS[scope]
    if (wanted.length > 0 && !grants(viewer.claims, ...wanted))
      throw forbidden('Ces règles ne se lisent pas sans le droit de lire les scanners.')
    const object = await readRuleObject(database.db, viewer, scope, id)
    if (object === null) throw notFound('Cet objet n’existe pas.')
    return object
  }
  const get = async (viewer: Viewer, scope: RuleScope, id: number): Promise<RuleSettings> => ({
    rules: rulesOf(await find(viewer, scope, id), scope, id, deps.platform()),
  })
  /** Monitoring judges by the new rules from the next result on. */
  const settle = async (scope: RuleScope, id: number, hostId: number | null): Promise<void> => {
    if (hostId === null) await monitoring.reload()
    else await monitoring.reloadHosts([hostId])
    changes.emit({ entity: scope, ids: [id], action: 'updated', ...(hostId === null ? {} : { hostIds: [hostId] }) })
  }

  return {
    get,
    async update(viewer: Viewer, scope: RuleScope, id: number, { values }: RuleSettingInput): Promise<RuleSettings> {
      if (!grants(viewer.claims, WRITES[scope]))
        throw forbidden('Ces règles ne se changent qu’avec le droit de modifier l’objet.')
      if (scope === 'model' && !seesAll(viewer))
        throw forbidden('Un modèle concerne tous les sites\u202f: votre compte est limité à certains.')
      const object = await find(where(viewer, WRITES[scope]), scope, id)
      const before = rulesOf(object, scope, id, deps.platform())
      const wanted = checkedValues(scope, values)
      checkTogether(before, wanted)
      await transaction(database.db, async trx => {
        for (const [key, value] of wanted)
          await writeOwnRule(trx, scope, id, { key, value, by: viewer.login, atMs: now() })
        const was = Object.fromEntries(before.map(rule => [rule.key, rule.own]))
        const line = {
          action: `${AUDITED[scope]}-update`,
          actor: viewer.login,
          object: `${AUDITED[scope]} ${id}`,
          name: object.name,
          before: was,
          after: { ...was, ...Object.fromEntries(wanted) },
        } as const
        await auditChange(trx, line, now())
      })
      await settle(scope, id, object.hostId)
      return get(viewer, scope, id)
    },
  }
}
export type RuleSettingService = ReturnType<typeof createRuleSettingService>

type Wanted = ReadonlyMap<RuleKey, number | boolean | null>

const PLACES: Readonly<Record<RuleScope, string>> = {
  site: 'd’un site',
  model: 'd’un modèle',
  host: 'd’un équipement',
  scanner: 'd’un scanner',
  metric: 'd’une métrique',
}

/** @throws Refusal with a sentence for each rule that is unknown, not set on such an object, or out of bounds. */
const checkedValues = (scope: RuleScope, values: RuleSettingInput['values']): Wanted => {
  const wanted = new Map<RuleKey, number | boolean | null>()
  const faults: [string, string][] = []
  for (const [name, value] of Object.entries(values)) {
    const key = RULE_KEYS.find(one => one === name)
    const fault = key === undefined ? 'Règle inconnue' : faultOf(scope, key, value)
    if (fault !== null) faults.push([name, fault])
    else if (key !== undefined) wanted.set(key, value)
  }
  if (faults.length > 0)
    throw invalid(
      faults.map(([name, fault]) => `${labelOf(name)} : ${fault}.`),
      Object.fromEntries(faults.map(([name, fault]) => [`values.${name}`, fault])),
    )
  return wanted
}
const labelOf = (name: string): string => {
  const key = RULE_KEYS.find(one => one === name)
  return key === undefined ? name : SETTINGS[key].label
}

const faultOf = (scope: RuleScope, key: RuleKey, value: number | boolean | null): string | null => {
  const { own, form } = rulePlaces(key)
  if (form.includes(scope)) return `Se règle dans la fiche ${PLACES[scope]}`
  if (!own.includes(scope)) return `Ne se règle pas au niveau ${PLACES[scope]}`
  return value === null ? null : ruleFault(key, value)
}

/** Flapping ends under what starts it, at the latest. */
const checkTogether = (before: RuleSettings['rules'], wanted: Wanted): void => {
  const percentOf = (key: 'flappingStartPercent' | 'flappingEndPercent'): number => {
    const rule = before.find(one => one.key === key)
    const chosen = wanted.get(key)
    return Number(chosen ?? (chosen === null ? rule?.inherited.value : rule?.value))
  }
  if (!wanted.has('flappingStartPercent') && !wanted.has('flappingEndPercent')) return
  if (percentOf('flappingEndPercent') <= percentOf('flappingStartPercent')) return
  const key = wanted.has('flappingEndPercent') ? 'flappingEndPercent' : 'flappingStartPercent'
  const message = 'La fin du bagotage ne peut dépasser son début'
  throw invalid([`${message}.`], { [`values.${key}`]: message })
}
