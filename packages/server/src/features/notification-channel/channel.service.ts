import {
  type ChannelBody,
  type ChannelDraft,
  type ChannelTestReply,
  isPersonal,
  type NotificationChannel,
  PHONE,
  PHONE_WRONG,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, invalidField, notFound, stale, unavailable } from '../../http/refusal.ts'
import { type Seal, type SecretBox, UNREADABLE_KEYS } from '../../secret-box.ts'
import { audit } from '../../store/audit.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { requireFreeName } from '../../store/names.ts'
import {
  type ChannelRow,
  channelKindOf,
  openChannelSecrets,
  readChannel,
  readChannels,
  saveOutcome,
} from '../../store/notification-channels.ts'
import { personOf } from '../../store/person.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { dropWaiting, insertChannel, shownChannel, updateChannel, waitingOf } from './channel.store.ts'
import type { ChannelSend, OpenChannel } from './channel-send.ts'
import { type Before, type Merged, mergeChannel } from './channel-settings.ts'

export interface ChannelDeps {
  readonly database: Database
  readonly now: () => number
  readonly secrets: SecretBox
  readonly send: ChannelSend
  readonly product: () => string
  /** Rules that use a channel, by name. */
  readonly rulesOf: (trx: Db, channelId: number) => Promise<readonly string[]>
  /** Aborted when the server stops. */
  readonly stop: AbortSignal
}
type Update = ChannelBody & { readonly updatedAt: string }

const MISSING = 'Ce canal n’existe pas.'

/** Ways to reach people: managed, and tried out. */
export const createChannelService = (deps: ChannelDeps) => {
  const { database, now, secrets } = deps
  const { db } = database
  const find = async (from: Db, id: number): Promise<ChannelRow> => {
    const row = await readChannel(from, id)
    if (row === null) throw notFound(MISSING)
    return row
  }
  const get = async (id: number, from: Db = db): Promise<NotificationChannel> =>
    shownChannel(secrets, await find(from, id), await waitingOf(from, id))
  const test = (viewer: Viewer, channel: OpenChannel & { name: string }, to: string | undefined) =>
    sendTest(deps, viewer, channel, to)

  return {
    get: (id: number) => get(id),
    async list(): Promise<NotificationChannel[]> {
      const waiting = await waitingOf(db)
      return (await readChannels(db)).map(row => shownChannel(secrets, row, waiting))
    },
    async create(viewer: Viewer, body: ChannelBody): Promise<NotificationChannel> {
      const id = await secrets.writing(seal =>
        transaction(db, async trx => {
          await requireName(trx, body.name, 0)
          const merged = mergeChannel(body, null)
          const made = await insertChannel(trx, seal, { body, merged, login: viewer.login, nowMs: now() })
          const entry = { action: 'notification-channel-create', ...named(viewer, made, body.name) } as const
          await auditChange(trx, { ...entry, before: null, after: audited(body, merged) }, now())
          return made
        }),
      )
      return get(id)
    },
    async update(viewer: Viewer, id: number, { updatedAt, ...body }: Update): Promise<NotificationChannel> {
      await secrets.writing(seal =>
        transaction(db, async trx => {
          const row = await find(trx, id)
          if (row.updated_at !== fromIso(updatedAt)) throw stale(await get(id, trx), row.updated_by)
          await updateIn(trx, seal, { deps, viewer, row, body })
        }),
      )
      return get(id)
    },
    async delete(viewer: Viewer, id: number): Promise<{ deleted: boolean }> {
      await transaction(db, async trx => {
        const row = await find(trx, id)
        const rules = await deps.rulesOf(trx, id)
        if (rules.length > 0) throw conflict(`Ce canal sert ${listed(rules)}\u202f: retirez-le d’abord de là.`)
        await dropWaiting(trx, row, now())
        await trx.deleteFrom('notification_channel').where('id', '=', id).execute()
        const entry = { action: 'notification-channel-delete', ...named(viewer, id, row.name) } as const
        await auditChange(trx, { ...entry, before: auditedRow(row), after: null }, now())
      })
      return { deleted: true }
    },
    async test(viewer: Viewer, id: number, to: string | undefined): Promise<ChannelTestReply> {
      const row = await find(db, id)
      const opened = openChannelSecrets(secrets, row)
      if (opened === null) throw unavailable(UNREADABLE_KEYS, 60_000)
      const channel = { name: row.name, kind: channelKindOf(row.kind), settings: JSON.parse(row.settings) }
      const reply = await test(viewer, { ...channel, secrets: opened }, to)
      await saveOutcome(db, id, {
        ...{ atMs: now(), ok: reply.ok, durationMs: reply.durationMs },
        answer: reply.error || reply.answer,
      })
      return reply
    },
    async testDraft(viewer: Viewer, { id, to, ...body }: ChannelDraft): Promise<ChannelTestReply> {
      const row = id === undefined ? null : await find(db, id)
      const merged = mergeChannel(body, row === null || row.kind !== body.kind ? null : beforeOf(secrets, row))
      const channel = { name: row?.name ?? 'nouveau canal', kind: body.kind, settings: merged.settings }
      return test(viewer, { ...channel, secrets: merged.secrets }, to)
    },
  }
}
export type ChannelService = ReturnType<typeof createChannelService>

const requireName = (trx: Db, name: string, except: number): Promise<void> =>
  requireFreeName(trx, 'notification_channel', name, except, held => `Le canal « ${held} » existe déjà.`)

const listed = (rules: readonly string[]): string =>
  `${rules.length === 1 ? 'à la règle' : 'aux règles'} ${rules.map(rule => `« ${rule} »`).join(', ')}`

const named = (viewer: Viewer, id: number, name: string) =>
  ({ actor: viewer.login, object: `notification-channel ${id}`, name }) as const

const beforeOf = (secrets: SecretBox, row: ChannelRow): Before => ({
  kind: channelKindOf(row.kind),
  settings: JSON.parse(row.settings),
  secrets: openChannelSecrets(secrets, row),
})

/** What a line of the audit keeps: which secrets were given or taken away, never what they are. */
const audited = (body: Pick<ChannelBody, 'name' | 'kind' | 'enabled'>, { settings, given, removed }: Merged) => ({
  ...{ name: body.name, kind: body.kind, enabled: body.enabled, settings },
  ...(given.length === 0 ? {} : { secretsGiven: given }),
  ...(removed.length === 0 ? {} : { secretsRemoved: removed }),
})
const auditedRow = (row: ChannelRow) => ({
  ...{ name: row.name, kind: row.kind, enabled: row.enabled === 1, settings: JSON.parse(row.settings) },
})

interface Updating {
  readonly deps: ChannelDeps
  readonly viewer: Viewer
  readonly row: ChannelRow
  readonly body: ChannelBody
}
const updateIn = async (trx: Db, seal: Seal, { deps, viewer, row, body }: Updating): Promise<void> => {
  const { secrets, now } = deps
  if (body.kind !== row.kind) throw conflict('Le genre d’un canal ne change pas\u202f: créez-en un autre.')
  await requireName(trx, body.name, row.id)
  const merged = mergeChannel(body, beforeOf(secrets, row))
  const nowMs = Math.max(now(), row.updated_at + 1)
  await updateChannel(trx, seal, row.id, { body, merged, login: viewer.login, nowMs })
  const entry = { action: 'notification-channel-update', ...named(viewer, row.id, body.name) } as const
  await auditChange(trx, { ...entry, before: auditedRow(row), after: audited(body, merged) }, now())
}

const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/

/** Sends a message that says what it is; the audit keeps that it was sent. */
const sendTest = async (
  { database, now, send, product, stop }: ChannelDeps,
  viewer: Viewer,
  { name, ...channel }: OpenChannel & { readonly name: string },
  to: string | undefined,
): Promise<ChannelTestReply> => {
  const address = to === undefined || to === '' || !isPersonal(channel.kind) ? null : to
  if (address !== null && channel.kind === 'email' && !EMAIL.test(address))
    throw invalidField('to', 'Une adresse e-mail est attendue.')
  if (address !== null && channel.kind === 'sms' && !PHONE.test(address)) throw invalidField('to', `${PHONE_WRONG}.`)
  const person = isPersonal(channel.kind) ? await personOf(database.db, viewer.userId) : null
  const at = toIso(now())
  const { ok, error, answer, recipient, durationMs } = await send(channel, {
    ...{ key: `test-${viewer.userId}-${now()}`, person, address, stop, ruleName: '' },
    reason: `Essai demandé par ${viewer.login}.`,
    message: {
      ...{ kind: 'test', severity: 'ok', at, link: '/system/notification', incidents: [] },
      subject: `[${product()}] Essai du canal « ${name} »`,
      text: [
        'Ceci est un essai\u202f: rien n’est en panne.',
        'Si vous lisez ce message, les notifications envoyées par ce canal arrivent.',
      ],
    },
  })
  const entry = { action: 'notification-channel-test', outcome: 'success', actor: viewer.login } as const
  await audit(database.db, { ...entry, object: name, detail: { kind: channel.kind, ok, recipient } }, now())
  return { ok, error, answer, recipient, durationMs }
}
