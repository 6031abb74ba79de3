import { grants, SELECT2_PAGE } from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import type { Database } from '../../store/database.ts'
import { containsFolded, type Select2Reply } from '../../store/datatable.ts'
import { fieldsFor } from '../../store/field-access.ts'

interface UserQuery {
  readonly term?: string | undefined
  readonly page?: number | undefined
  readonly id?: number | undefined
}

/**
 * Enabled accounts for a field of type user, « Jeanne MARTIN (jmartin) ». Nobody who neither writes such a field, nor
 * defines fields, nor sees accounts anyway, learns of any; who only reads one may ask for the name behind an id.
 */
export const findFieldUsers = async (database: Database, viewer: Viewer, query: UserQuery): Promise<Select2Reply> => {
  const none: Select2Reply = { results: [], pagination: { more: false } }
  if (!grants(viewer.claims, 'user_read', 'custom_field_write')) {
    const fields = (await fieldsFor(database, viewer)).filter(one => one.definition.type === 'user')
    if (!fields.some(one => one.level === 'write' || query.id !== undefined)) return none
  }
  const term = query.term?.trim() ?? ''
  const where =
    query.id !== undefined
      ? sql<boolean>`id = ${query.id}`
      : term === ''
        ? sql<boolean>`enabled = 1`
        : sql<boolean>`enabled = 1 and (${containsFolded(sql`name_folded`, term)} or ${containsFolded(sql`login_folded`, term)})`
  const answer = await sql<{ id: number; login: string; first_name: string; last_name: string }>`select id, login,
    first_name, last_name from account where ${where} order by name_folded, login_folded, id
    limit ${SELECT2_PAGE + 1} offset ${((query.page ?? 1) - 1) * SELECT2_PAGE}`.execute(database.db)
  return {
    results: answer.rows.slice(0, SELECT2_PAGE).map(row => {
      const name = `${row.first_name} ${row.last_name}`.trim()
      return { id: row.id, text: name === '' ? row.login : `${name} (${row.login})` }
    }),
    pagination: { more: answer.rows.length > SELECT2_PAGE },
  }
}
