import { type RawBuilder, sql } from 'kysely'
import { KEY_ID_LENGTH, type Seal, type SecretBox } from '../../secret-box.ts'
import type { Db } from '../../store/database.ts'
import { credentialPlace } from '../../store/effective-credentials.ts'
import { secretPlace } from '../../store/field-values.ts'
import { channelPlace } from '../../store/notification-channels.ts'
import { secondFactorPlace } from '../../store/second-factor-place.ts'
import { transaction } from '../../store/transaction.ts'

/** Rows sealed again in one transaction: others wait no longer than that for the database. */
const SLICE = 500

interface Sealed {
  readonly id: number
  readonly sealed: string
  /** The place to which it is bound. */
  readonly place: string
}

/** One column of sealed texts, walked by growing ids. */
interface SealedColumn {
  /** The next texts after an id that `key` did not seal. */
  next(db: Db, after: number, key: string): Promise<Sealed[]>
  /** Nothing when it changed meanwhile: what is there was then written with the current key. */
  replace(db: Db, text: Sealed, by: string): Promise<boolean>
}

export interface Resealed {
  readonly resealed: number
  /** Left as they are: no known key opens them. */
  readonly unreadable: number
  readonly usedKeys: ReadonlySet<string>
}

/** Seals with the current key every secret that another sealed; those written meanwhile are left alone. */
export const resealAll = async (db: Db, box: SecretBox): Promise<Resealed> => {
  const key = box.currentKey() ?? ''
  let resealed = 0
  let unreadable = 0
  for (const column of await sealedColumns(db)) {
    let after = 0
    for (;;) {
      const texts = await column.next(db, after, key)
      if (texts.length === 0) break
      const done = await box.writing(seal => resealSlice(db, box, seal, column, texts))
      resealed += done.resealed
      unreadable += done.unreadable
      after = Math.max(...texts.map(text => text.id))
    }
  }
  return { resealed, unreadable, usedKeys: await usedKeys(db) }
}

const resealSlice = (db: Db, box: SecretBox, seal: Seal, column: SealedColumn, texts: readonly Sealed[]) =>
  transaction(db, async trx => {
    let resealed = 0
    let unreadable = 0
    for (const text of texts) {
      const plain = box.open(text.sealed, text.place)
      if (plain === null) unreadable += 1
      else if (await column.replace(trx, text, seal(plain, text.place))) resealed += 1
    }
    return { resealed, unreadable }
  })

interface SealedIn<Row> {
  readonly table: 'credential' | 'notification_channel' | 'field_value' | 'second_factor'
  readonly id: 'id' | 'owner_id' | 'account_id'
  readonly text: 'secret' | 'value'
  /** Of the table's rows, those of this column; all unless told. */
  readonly only?: RawBuilder<unknown>
  /** Columns that the place is made of. */
  readonly bound?: readonly (keyof Row & string)[]
  readonly place: (row: Row & { readonly id: number }) => string
}

const sealedColumn = <Row = unknown>({
  table,
  id,
  text,
  only = sql`1 = 1`,
  bound = [],
  place,
}: SealedIn<Row>): SealedColumn => {
  const [from, idRef, textRef] = [sql.table(table), sql.ref(id), sql.ref(text)]
  const columns = sql.join([sql`${idRef} as id`, sql`${textRef} as sealed`, ...bound.map(column => sql.ref(column))])
  return {
    async next(db, after, key) {
      const { rows } = await sql<Row & Pick<Sealed, 'id' | 'sealed'>>`
        select ${columns} from ${from}
        where ${only} and ${idRef} > ${after} and ${textRef} <> '' and ${textRef} not like ${`v1.${key}.%`}
        order by ${idRef} limit ${sql.lit(SLICE)}`.execute(db)
      return rows.map(row => ({ id: row.id, sealed: row.sealed, place: place(row) }))
    },
    async replace(db, { id: of, sealed }, by) {
      const done = await sql`
        update ${from} set ${textRef} = ${by} where ${only} and ${idRef} = ${of} and ${textRef} = ${sealed}`.execute(db)
      return done.numAffectedRows === 1n
    },
  }
}

const credentialColumn = sealedColumn<Parameters<typeof credentialPlace>[0]>({
  ...{ table: 'credential', id: 'id', text: 'secret' },
  bound: ['owner_kind', 'owner_id', 'kind'],
  place: credentialPlace,
})
const channelColumn = sealedColumn({
  ...{ table: 'notification_channel', id: 'id', text: 'secret' },
  place: ({ id }) => channelPlace(id),
})
const secondFactorColumn = sealedColumn({
  ...{ table: 'second_factor', id: 'account_id', text: 'secret' },
  place: ({ id }) => secondFactorPlace(id),
})
/** The values of one custom field of type secret. */
const fieldColumn = (definitionId: number): SealedColumn =>
  sealedColumn({
    ...{ table: 'field_value', id: 'owner_id', text: 'value' },
    only: sql`definition_id = ${definitionId}`,
    place: ({ id }) => secretPlace(definitionId, id),
  })

const sealedColumns = async (db: Db): Promise<SealedColumn[]> => {
  const fields = await db.selectFrom('field_definition').select('id').where('type', '=', 'secret').execute()
  return [credentialColumn, channelColumn, secondFactorColumn, ...fields.map(field => fieldColumn(field.id))]
}

export const usedKeys = async (db: Db): Promise<Set<string>> => {
  const rows = await sql<{ key: string }>`
    select distinct substr(secret, 4, ${sql.lit(KEY_ID_LENGTH)}) as key from credential where secret <> ''
    union select distinct substr(secret, 4, ${sql.lit(KEY_ID_LENGTH)}) from notification_channel where secret <> ''
    union select distinct substr(secret, 4, ${sql.lit(KEY_ID_LENGTH)}) from second_factor where secret <> ''
    union select distinct substr(value, 4, ${sql.lit(KEY_ID_LENGTH)}) from field_value join field_definition on field_definition.id = field_value.definition_id
      where field_definition.type = 'secret' and value <> ''`.execute(db)
  return new Set(rows.rows.map(row => row.key))
}
