import type { Database } from '../store/database.ts'
import { toIsoOrNull } from '../store/time.ts'
import type { ServicePart, Status } from './service-registry.ts'

const EVERY_MS = 10_000
/** A look takes a second, and rests twenty times as long as it took. */
const SILENT_MS = 180_000
const HOUR_MS = 3_600_000
/** Why nobody is told of anything from here: it was started so, or another server may have the database. */
export type Silence = 'asked' | 'contested'
const SILENT: Readonly<Record<Silence, Status>> = {
  asked: { state: 'off', reason: 'Rien n’est dit d’ici\u202f: démarré avec NARVAL_NOTIFICATIONS=off.' },
  contested: { state: 'error', reason: 'Un autre serveur tient peut-être la base\u202f: rien n’est dit d’ici.' },
}

export const notifierPart = (lookedAt: () => number | null, silence: () => Silence | null): ServicePart => {
  const registeredAt = performance.now()
  const judge = (): Status => {
    const why = silence()
    if (why !== null) return SILENT[why]
    const at = lookedAt()
    if (performance.now() - (at ?? registeredAt) >= SILENT_MS)
      return { state: 'error', reason: 'N’a rien regardé depuis plus de trois minutes.' }
    return at === null
      ? { state: 'unknown', reason: 'N’a pas encore regardé.' }
      : { state: 'ok', reason: 'Regarde chaque seconde qui prévenir.' }
  }
  return { status: judge }
}

interface Deliveries {
  readonly waiting: number
  readonly oldestMs: number | null
  readonly sent: number
  readonly failed: number
  readonly failing: readonly { readonly name: string; readonly sinceMs: number }[]
}

export interface DeliveryPartDeps {
  readonly database: Database
  readonly now: () => number
  readonly silence: () => Silence | null
  readonly failed: (text: string) => void
}

export const deliveryPart = ({ database, now, silence, failed }: DeliveryPartDeps): ServicePart => {
  const { db } = database
  let known: Deliveries | null = null
  /** Of each failing channel the try that was noted last. */
  const toldAt = new Map<string, number | null>()
  const ended = async (state: string): Promise<number> => {
    const row = await db
      .selectFrom('delivery')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('state', '=', state)
      .where('ended_at', '>', now() - HOUR_MS)
      .executeTakeFirst()
    return Number(row?.n ?? 0)
  }
  const run = async (): Promise<void> => {
    const waiting = await db
      .selectFrom('delivery')
      .select(eb => [eb.fn.countAll<number>().as('n'), eb.fn.min('created_at').as('oldest')])
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    const channels = await db
      .selectFrom('notification_channel')
      .select(['name', 'failing_since', 'last_at', 'last_answer'])
      .where('enabled', '=', 1)
      .where('failing_since', 'is not', null)
      .orderBy('failing_since')
      .execute()
    for (const { name, last_at, last_answer } of channels) {
      if (toldAt.get(name) === last_at) continue
      toldAt.set(name, last_at)
      failed(`Canal «\u202f${name}\u202f»\u202f: ${firstLine(last_answer)}`)
    }
    known = {
      waiting: Number(waiting?.n ?? 0),
      oldestMs: waiting?.oldest == null ? null : Number(waiting.oldest),
      sent: await ended('sent'),
      failed: await ended('failed'),
      failing: channels.flatMap(one =>
        one.failing_since === null ? [] : { name: one.name, sinceMs: one.failing_since },
      ),
    }
  }
  const judge = (): Status => {
    const why = silence()
    if (why !== null) return SILENT[why]
    if (known === null) return { state: 'unknown', reason: 'Pas encore mesuré.' }
    const [first, ...more] = known.failing
    if (first === undefined) return { state: 'ok', reason: 'Envoie à mesure.' }
    const reason =
      more.length === 0
        ? `Le canal «\u202f${first.name}\u202f» échoue.`
        : `${known.failing.length} canaux échouent, dont «\u202f${first.name}\u202f».`
    return { state: 'warning', reason, sinceMs: first.sinceMs }
  }
  return {
    queueOf: ['à envoyer', 'à envoyer'],
    refresh: { everyMs: EVERY_MS, run },
    status: () => ({
      ...judge(),
      queue: known?.waiting ?? null,
      figures: [
        { label: 'Envoyés dans l’heure', value: known?.sent ?? null, unit: 'count' },
        { label: 'Abandonnés dans l’heure', value: known?.failed ?? null, unit: 'count' },
        { label: 'Le plus ancien attend depuis', value: toIsoOrNull(known?.oldestMs ?? null), unit: 'instant' },
        { label: 'Canaux en échec', value: known?.failing.length ?? null, unit: 'count' },
      ],
    }),
  }
}

const firstLine = (answer: string | null): string => (answer ?? 'échec').split('\n', 1)[0]?.slice(0, 200) ?? ''

export const discoveryPart = (underWay: () => number): ServicePart => ({
  queueOf: ['passage en cours', 'passages en cours'],
  status: () => ({
    ...{ state: 'ok', queue: underWay() },
    reason: underWay() === 0 ? 'Aucun passage en cours.' : 'Des plages d’adresses sont parcourues.',
  }),
})
