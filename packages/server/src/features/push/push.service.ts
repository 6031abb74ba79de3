import { createHash, randomBytes } from 'node:crypto'
import {
  type BodyOf,
  CHECKS,
  ownMetrics,
  PUSH_TOKEN_BYTES,
  type PushToken,
  type pushRoutes,
  type QueryOf,
} from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { createRateLimiter, type RateLimits } from '../../http/rate-limit.ts'
import { conflict, invalid, invalidField, notFound, tooMany } from '../../http/refusal.ts'
import type { ScannerEntry } from '../../monitoring/fleet/model.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { kindOf, type ScannerRow, scannerList } from '../../monitoring/run/scanner-list.ts'
import { audit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import { fetchOne } from '../../store/fetch.ts'
import { toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { readToken, saveToken, scannerOfToken } from './push.store.ts'
import { createPushIngest } from './push-ingest.ts'

export interface PushDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
  readonly rateLimits: RateLimits
}

type Sent = NonNullable<BodyOf<typeof pushRoutes.push>>
type Asked = QueryOf<typeof pushRoutes.push>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** One scanner is sent this much of the class `push`, however many addresses send: a tenth of what one address may. */
const scannerRates = ({ push, ...others }: RateLimits): RateLimits => ({
  ...others,
  push: { perSecond: push.perSecond / 10, burst: push.burst / 10 },
})

/** Values that programs send by themselves, with a token that is all they show. */
export const createPushService = ({ database, monitoring, now, rateLimits }: PushDeps) => {
  const { db } = database
  const put = createPushIngest(monitoring.ingest, now)
  const limiter = createRateLimiter(scannerRates(rateLimits), now)

  const rowOf = async (viewer: Viewer, id: number): Promise<ScannerRow> => {
    const row = await fetchOne<ScannerRow>(db, scannerList(viewer), id)
    if (row === null) throw notFound("Ce scanner n'existe pas.")
    if (CHECKS[kindOf(row.kind)].runner !== 'server')
      throw conflict('Ce scanner est exécuté par une sonde : il n’a pas de jeton.')
    return row
  }
  /** A token that opens nothing is answered the same, whatever it looks like and whatever comes with it. */
  const scannerOf = async (token: string): Promise<ScannerEntry> => {
    const id = await scannerOfToken(db, sha256(token))
    const entry = id === null ? undefined : monitoring.model.scanners.get(id)
    if (entry === undefined) throw notFound("Cette adresse n'existe pas.")
    return entry
  }
  const namesOf = async ({ id, kind }: ScannerEntry): Promise<string[]> => {
    const row = await db.selectFrom('scanner').select('parameters').where('id', '=', id).executeTakeFirst()
    return ownMetrics(kind, JSON.parse(row?.parameters ?? '{}')).map(({ key }) => key)
  }

  return {
    async push(token: string, query: Asked, body: Sent | undefined): Promise<void> {
      const scanner = await scannerOf(token)
      const waitMs = limiter.take('push', `scanner ${scanner.id}`)
      if (waitMs > 0) throw tooMany(waitMs)
      if (!scanner.enabled || !scanner.host.enabled)
        throw conflict('Ce scanner est désactivé : rien de ce qu’on lui envoie n’est gardé.')
      const names = await namesOf(scanner)
      const values = { ...firstValue(query, names), ...body?.values }
      requireKnown(Object.keys(values), names)
      const state = body?.state ?? query.state ?? 'ok'
      const message = (body?.message ?? query.message ?? '').trim()
      await put({
        scanner: scanner.id,
        values,
        failure: state === 'ok' ? null : { code: 'mismatch', message: message || 'état « erreur » annoncé' },
        ...(message === ''
          ? {}
          : {
              events: [{ at: now(), severity: state, source: scanner.host.name.slice(0, 100), text: oneLine(message) }],
            }),
      })
    },
    async token(viewer: Viewer, id: number): Promise<PushToken> {
      await rowOf(viewer, id)
      const row = await readToken(db, id)
      return { createdAt: row === null ? null : toIso(row.created_at), createdBy: row?.created_by ?? null }
    },
    async renew(viewer: Viewer, id: number): Promise<{ token: string }> {
      const { name } = await rowOf(viewer, id)
      const token = randomBytes(PUSH_TOKEN_BYTES).toString('base64url')
      await transaction(db, async trx => {
        await saveToken(trx, { scannerId: id, hash: sha256(token), by: viewer.login, nowMs: now() })
        const entry = { action: 'push-token-create', outcome: 'success', actor: viewer.login } as const
        await audit(trx, { ...entry, object: `scanner ${id}`, detail: { name } }, now())
      })
      return { token }
    },
  }
}
export type PushService = ReturnType<typeof createPushService>

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const oneLine = (text: string): string => text.replace(CONTROL, ' ').trim()

const firstValue = ({ value }: Asked, names: readonly string[]): Record<string, number> => {
  const [first] = names
  if (value === undefined || first === undefined) return {}
  if (!Number.isFinite(value)) throw invalidField('value', 'La valeur n’est pas un nombre fini.')
  return { [first]: value }
}

const requireKnown = (given: readonly string[], names: readonly string[]): void => {
  const unknown = given.filter(name => !names.includes(name))
  if (unknown.length > 0)
    throw invalid([`Valeur inconnue : ${unknown.slice(0, 5).join(', ')}. Ce scanner attend : ${names.join(', ')}.`])
}
