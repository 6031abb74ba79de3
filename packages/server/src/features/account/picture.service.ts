import { randomBytes } from 'node:crypto'
import { OWN_PICTURE, PICTURE_PATH, PICTURE_SIDE } from '@narval/contracts'
import type { FastifyInstance } from 'fastify'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { sendProblem } from '../../http/problem.ts'
import { invalid, notFound } from '../../http/refusal.ts'
import { decodePng, encodePng } from '../../picture-png.ts'
import type { Database, Db } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'
import { auditAccount, auditedOf } from './account-audit.ts'
import { needAccount } from './account-rules.ts'

/** Pictures that accounts give themselves: decoded strictly, kept as this server has encoded them (S46). */
export interface PictureService {
  set(viewer: Viewer, file: Uint8Array, address: string): Promise<void>
}

export const createPictureService = (database: Database, now: () => number, changes: Changes): PictureService => {
  const { db } = database
  return {
    async set(viewer, file, address) {
      const image = await decodePng(Buffer.from(file), PICTURE_SIDE)
      if (image === null)
        throw invalid([`Une image PNG de ${PICTURE_SIDE} × ${PICTURE_SIDE} pixels, en couleurs, est attendue.`])
      const png = new Uint8Array(await encodePng(image))
      // A new name for each: what a browser keeps under the old one is never shown for it.
      const name = randomBytes(16).toString('hex')
      await transaction(db, async trx => {
        const before = await needAccount(trx, viewer.userId)
        await trx
          .insertInto('account_picture')
          .values({ account_id: viewer.userId, name, png })
          .onConflict(on => on.column('account_id').doUpdateSet({ name, png }))
          .execute()
        await trx
          .updateTable('account')
          .set({ avatar: name, updated_at: now(), updated_by: viewer.login })
          .where('id', '=', viewer.userId)
          .execute()
        const line = { id: before.id, login: before.login, before: auditedOf(before) }
        const after = auditedOf({ ...before, avatar: name })
        await auditAccount(trx, { viewer, address, nowMs: now() }, 'account-update', { ...line, after })
      })
      changes.emit({ entity: 'account', ids: [viewer.userId], action: 'updated' })
    },
  }
}

/** Of who takes an avatar of the console's instead. */
export const deletePicture = (db: Db, accountId: number) =>
  db.deleteFrom('account_picture').where('account_id', '=', accountId).execute()

/** Even if a browser took one for a page, it would run nothing. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=31536000, immutable',
} as const

/** Shows pictures to whoever knows their name, as an `img` asks for them: without a token. */
export const mountPictures = (http: FastifyInstance, { db }: Database): void => {
  http.get<{ Params: { file: string } }>(`${PICTURE_PATH}:file`, async (request, reply) => {
    const [name = '', end] = request.params.file.split('.')
    const row =
      OWN_PICTURE.test(name) && end === 'png'
        ? await db.selectFrom('account_picture').select('png').where('name', '=', name).executeTakeFirst()
        : undefined
    if (row === undefined) return sendProblem(reply, notFound("Cette image n'existe pas."))
    return reply.headers(HEADERS).type('image/png').send(Buffer.from(row.png))
  })
}
