import {
  grants,
  LOG_BOOK_KINDS,
  LOG_BOOK_PAGE,
  type LogBookEntry,
  type LogBookKind,
  type NoteBody,
  type Settings,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { forbidden, invalidField, notFound } from '../../http/refusal.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import { auditChange } from '../../store/audit-change.ts'
import type { Database, Db } from '../../store/database.ts'
import { personOf } from '../../store/person.ts'
import { fromIso, toIso } from '../../store/time.ts'
import { transaction } from '../../store/transaction.ts'
import { requireSeen, seesAll } from '../../store/visible.ts'
import { handoverLines } from './handover.store.ts'
import {
  commentLines,
  incidentLines,
  type Line,
  type LogBookQuery,
  type NoteRow,
  noteLines,
  PLAIN,
  type Place,
  readNotes,
} from './log-book.store.ts'
import { maintenanceLines } from './maintenance-lines.ts'

export interface LogBookDeps {
  readonly database: Database
  readonly monitoring: Monitoring
  readonly now: () => number
}
export interface ShiftDeps {
  readonly settings: () => Pick<Settings, 'shiftStartHour' | 'shiftsPerDay'>
}

/** What is asked of the book, as the route has it. */
export interface AskedLines {
  readonly from: string
  readonly to: string
  readonly site?: number | undefined
  readonly kind?: readonly LogBookKind[] | undefined
  readonly before?: string | undefined
}

/** The log book: what happened, read where it is kept, and what operators write beside it. */
export const createLogBookService = ({ database, monitoring, now, settings }: LogBookDeps & ShiftDeps) => {
  const { db } = database
  const changed = (id: number): void =>
    monitoring.publisher.changed({ entity: 'log-book', ids: [id], action: 'updated' })

  const linesOf = async (viewer: Viewer, query: LogBookQuery): Promise<Line[]> => {
    const parts = await Promise.all([
      incidentLines(db, viewer, query),
      commentLines(db, viewer, query),
      maintenanceLines(db, viewer, query),
      noteLines(db, viewer, query, row => entryOf(viewer, row)),
      handoverLines(db, viewer, query),
    ])
    return parts.flat().sort(byPlace).slice(0, query.limit)
  }
  const findNote = async (trx: Db, viewer: Viewer, id: number): Promise<NoteRow> => {
    const [row] = await readNotes(trx, viewer, sql<boolean>`note.id = ${id}`, 1)
    if (row === undefined) throw notFound('Cette note n’existe pas.')
    return row
  }
  const findOwn = async (trx: Db, viewer: Viewer, id: number): Promise<NoteRow> => {
    const row = await findNote(trx, viewer, id)
    if (!isOwn(viewer, row)) throw forbidden('Seul son auteur, ou un administrateur, change cette note.')
    return row
  }

  return {
    async list(viewer: Viewer, asked: AskedLines): Promise<{ entries: LogBookEntry[]; next: string | null }> {
      const lines = await linesOf(viewer, { ...queryOf(asked), limit: LOG_BOOK_PAGE + 1 })
      const page = lines.slice(0, LOG_BOOK_PAGE)
      const last = lines.length > LOG_BOOK_PAGE ? page.at(-1) : undefined
      return { entries: page.map(line => line.entry), next: last === undefined ? null : textOf(last.place) }
    },
    shifts: () => ({ startHour: settings().shiftStartHour, perDay: settings().shiftsPerDay }),
    /** The whole period, page by page as it is read. */
    async *everything(viewer: Viewer, asked: AskedLines): AsyncGenerator<readonly LogBookEntry[]> {
      let before = queryOf(asked).before
      for (;;) {
        const lines = await linesOf(viewer, { ...queryOf(asked), before, limit: LOG_BOOK_PAGE })
        yield lines.map(line => line.entry)
        if (lines.length < LOG_BOOK_PAGE) return
        before = lines.at(-1)?.place ?? null
      }
    },
    async create(viewer: Viewer, body: NoteBody): Promise<LogBookEntry> {
      requirePlace(viewer, body.siteId)
      const nowMs = now()
      const row = await transaction(db, async trx => {
        const values = { ...columnsOf(body, nowMs), author_id: viewer.userId, edited_at: null }
        const stamps = { created_at: nowMs, updated_at: nowMs, updated_by: viewer.login }
        const author = (await personOf(trx, viewer.userId))?.name ?? viewer.login
        const made = await trx
          .insertInto('log_book_note')
          .values({ ...values, author, ...stamps })
          .returning('id')
          .executeTakeFirstOrThrow()
        const row = await findNote(trx, viewer, made.id)
        await auditChange(trx, lineOf(viewer, row, 'create', null, auditedOf(row)), nowMs)
        return row
      })
      changed(row.id)
      return entryOf(viewer, row)
    },
    async update(viewer: Viewer, id: number, body: NoteBody): Promise<LogBookEntry> {
      requirePlace(viewer, body.siteId)
      const row = await transaction(db, async trx => {
        const before = await findOwn(trx, viewer, id)
        const nowMs = now()
        const edited_at = body.text === before.text ? before.edited_at : nowMs
        await trx
          .updateTable('log_book_note')
          .set({ ...columnsOf(body, before.at), edited_at, updated_at: nowMs, updated_by: viewer.login })
          .where('id', '=', id)
          .execute()
        const row = await findNote(trx, viewer, id)
        await auditChange(trx, lineOf(viewer, row, 'update', auditedOf(before), auditedOf(row)), nowMs)
        return row
      })
      changed(id)
      return entryOf(viewer, row)
    },
    async delete(viewer: Viewer, id: number): Promise<undefined> {
      await transaction(db, async trx => {
        const before = await findOwn(trx, viewer, id)
        await trx.deleteFrom('log_book_note').where('id', '=', id).execute()
        await auditChange(trx, lineOf(viewer, before, 'delete', auditedOf(before), null), now())
      })
      changed(id)
    },
  }
}
export type LogBookService = ReturnType<typeof createLogBookService>

const queryOf = ({ from, to, site, kind, before }: AskedLines): Omit<LogBookQuery, 'limit'> => ({
  ...{ fromMs: fromIso(from), toMs: fromIso(to), site: site ?? null, kinds: new Set(kind ?? LOG_BOOK_KINDS) },
  before: before === undefined ? null : placeIn(before),
})
const placeIn = (text: string): Place => {
  const [at = 0, source = 0, id = 0] = text.split(':').map(Number)
  return { at, source, id }
}
const textOf = ({ at, source, id }: Place): string => `${at}:${source}:${id}`
const byPlace = (a: Line, b: Line): number =>
  b.place.at - a.place.at || a.place.source - b.place.source || b.place.id - a.place.id

/** What is about no site is read by who sees all: nobody writes what he may not read. */
const requirePlace = (viewer: Viewer, siteId: number | null): void => {
  requireSeen(viewer, siteId)
  if (siteId === null && !seesAll(viewer)) throw invalidField('siteId', 'Choisissez le site dont parle la note.')
}

/** Its author, or an administrator. */
const isOwn = (viewer: Viewer, { author_id }: NoteRow): boolean =>
  author_id === viewer.userId || grants(viewer.claims, 'admin')

const entryOf = (viewer: Viewer, row: NoteRow): LogBookEntry => ({
  ...PLAIN,
  ...{ key: `note:${row.id}`, at: toIso(row.at), kind: 'note', event: 'noted', title: '', id: row.id, link: null },
  ...{ text: row.text, author: row.author, siteId: row.site_id, siteName: row.site_name },
  edited: row.edited_at !== null,
  mayEdit: isOwn(viewer, row) && grants(viewer.claims, 'incident_write'),
})

const columnsOf = ({ text, at, siteId }: NoteBody, atMs: number) => ({
  ...{ text, site_id: siteId, at: at === undefined ? atMs : fromIso(at) },
})
const auditedOf = ({ text, at, site_id }: NoteRow) => ({ text, at: toIso(at), siteId: site_id })
const lineOf = (
  viewer: Viewer,
  row: NoteRow,
  what: 'create' | 'update' | 'delete',
  before: object | null,
  after: object | null,
) => ({
  action: `log-book-note-${what}` as const,
  ...{ actor: viewer.login, object: `log-book-note ${row.id}`, name: row.text.slice(0, 80), before, after },
})
