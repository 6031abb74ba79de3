import type { Db } from '../../store/database.ts'

export interface TokenRow {
  readonly created_at: number
  readonly created_by: string | null
}

/** The scanner of a token, by its hash; null: nobody's. */
export const scannerOfToken = async (db: Db, hash: string): Promise<number | null> => {
  const row = await db.selectFrom('push_token').select('scanner_id').where('hash', '=', hash).executeTakeFirst()
  return row?.scanner_id ?? null
}

export const readToken = async (db: Db, scannerId: number): Promise<TokenRow | null> =>
  (await db
    .selectFrom('push_token')
    .select(['created_at', 'created_by'])
    .where('scanner_id', '=', scannerId)
    .executeTakeFirst()) ?? null

/** The token of a scanner from now on: the one before opens nothing any more. */
export const saveToken = async (
  db: Db,
  token: { readonly scannerId: number; readonly hash: string; readonly by: string; readonly nowMs: number },
): Promise<void> => {
  const { hash, nowMs: created_at, by: created_by } = token
  await db
    .insertInto('push_token')
    .values({ scanner_id: token.scannerId, hash, created_at, created_by })
    .onConflict(conflict => conflict.column('scanner_id').doUpdateSet({ hash, created_at, created_by }))
    .execute()
}
