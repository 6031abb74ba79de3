import { randomBytes } from 'node:crypto'
import { LOGO_PATH, LOGO_SIDE } from '@narval/contracts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../http/caller.ts'
import { sendProblem } from '../../http/problem.ts'
import { invalid, notFound } from '../../http/refusal.ts'
import { decodePng, encodePng } from '../../picture-png.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database } from '../../store/database.ts'
import { transaction } from '../../store/transaction.ts'

export interface LogoService {
  /** Where it is shown; empty: Narval's own stands. */
  address(): string
  /** @throws a refusal for anything but a plain PNG of `LOGO_SIDE` pixels. */
  set(viewer: Viewer, file: Uint8Array): Promise<void>
  /** Narval's own stands again. */
  remove(viewer: Viewer): Promise<void>
}

const addressOf = (name: string): string => (name === '' ? '' : `${LOGO_PATH}${name}.png`)

/** The picture beside the product's name: decoded strictly, kept as this server has encoded it (S46), its name in memory. */
export const createLogo = async ({ db }: Database, now: () => number): Promise<LogoService> => {
  let name = (await db.selectFrom('logo').select('name').executeTakeFirst())?.name ?? ''
  const write = async (viewer: Viewer, png: Uint8Array | null): Promise<void> => {
    // A new name for each: what a browser keeps under the old one is never shown for it.
    const next = png === null ? '' : randomBytes(16).toString('hex')
    await transaction(db, async trx => {
      await trx.deleteFrom('logo').execute()
      if (png !== null) await trx.insertInto('logo').values({ id: 1, name: next, png }).execute()
      const line = { actor: viewer.login, object: 'parameter configuration', name: 'Paramètres généraux' }
      const [before, after] = [{ logo: addressOf(name) }, { logo: addressOf(next) }]
      await auditChange(trx, { ...line, action: 'parameter-update', before, after }, now())
    })
    name = next
  }
  return {
    address: () => addressOf(name),
    async set(viewer, file) {
      const image = await decodePng(Buffer.from(file), LOGO_SIDE)
      if (image === null)
        throw invalid([`Une image PNG de ${LOGO_SIDE} × ${LOGO_SIDE} pixels, en couleurs, est attendue.`])
      await write(viewer, new Uint8Array(await encodePng(image)))
    },
    remove: viewer => write(viewer, null),
  }
}

/** Even if a browser took it for a page, it would run nothing. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'public, max-age=31536000, immutable',
} as const

/** Shows it to anybody, as the sign-in page does. */
export const mountLogo = (http: FastifyInstance, { db }: Database): void => {
  http.get<{ Params: { file: string } }>(`${LOGO_PATH}:file`, async (request, reply) => {
    const row = await db.selectFrom('logo').select(['name', 'png']).executeTakeFirst()
    if (row === undefined || request.params.file !== `${row.name}.png`)
      return sendProblem(reply, notFound("Cette image n'existe pas."))
    return reply.headers(HEADERS).type('image/png').send(Buffer.from(row.png))
  })
}
