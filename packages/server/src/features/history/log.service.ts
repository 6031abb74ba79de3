import {
  type DatatableReply,
  type DatatableRequest,
  LOG_KINDS,
  LOG_OUTCOMES,
  type LogDetail,
  type LogEntry,
  type LogVerification,
  logActionText,
} from '@narval/contracts'
import { sql } from 'kysely'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import { audit, oneLine } from '../../store/audit.ts'
import type { AnchorStore } from '../../store/audit-chain.ts'
import { verifyAudit } from '../../store/audit-verify.ts'
import type { Database } from '../../store/database.ts'
import { runDatatable } from '../../store/datatable.ts'
import { everyMatch } from '../../store/matching.ts'
import { toIso } from '../../store/time.ts'
import { type ToldChanges, toldChanges } from './change-words.ts'
import { type LogRow, logList, severityOfRow } from './log-list.ts'
import { readObjects } from './log-objects.ts'

export interface LogDeps {
  readonly database: Database
  readonly anchor: AnchorStore
  readonly now: () => number
}

/** A row of the log with what it is about. */
const objectOf = ({ action, object, object_kind, detail }: LogRow) => {
  // A message is of the host that sent it.
  if (action === 'message') return { objectKind: 'host', objectId: hostOf(detail), rest: '' }
  const rest = object.slice(object_kind.length + 1)
  return { objectKind: object_kind, objectId: /^[1-9]\d{0,9}$/.test(rest) ? Number(rest) : null, rest }
}

/** The log as people read it: what happened and what was done, of what they may see alone. */
export const createLogService = ({ database, anchor, now }: LogDeps) => {
  const { db, dialect } = database
  let verifying: Promise<LogVerification> | null = null

  const present = async (viewer: Viewer, rows: readonly LogRow[]): Promise<LogDetail[]> => {
    const told = await toldChanges(
      database,
      viewer,
      rows.map(row => ({ ...objectOf(row), detail: row.detail })),
      { facts: true },
    )
    const objects = await readObjects(db, rows.map(objectOf))
    return rows.map((row, index) => {
      const changes = row.action === 'message' ? [] : (told[index] ?? [])
      const { rest, ...object } = objectOf(row)
      const there = objects.get(`${object.objectKind} ${object.objectId}`)
      return {
        ...{ id: row.id, at: toIso(row.at), actor: row.actor, address: row.address, ...object },
        kind: LOG_KINDS.find(kind => kind === row.kind) ?? 'audit',
        ...{ action: row.action, actionText: logActionText(row.action) },
        objectName: oneLine(nameIn(row.detail) ?? there ?? (object.objectId === null ? rest : '')),
        objectExists: there !== undefined,
        outcome: LOG_OUTCOMES.find(outcome => outcome === row.outcome) ?? 'success',
        severity: severityOfRow(row),
        message: oneLine(row.text ?? sentenceOf(row.action, changes)),
        ...{ changes, position: sealedAt(row), seal: row.seal === '' ? null : row.seal },
      }
    })
  }
  const verify = async (viewer: Viewer): Promise<LogVerification> => {
    const found = await verifyAudit(db, { anchor, nowMs: now() })
    const detail = { checked: found.checked, faults: found.faultCount }
    const outcome = found.ok ? 'success' : 'failure'
    await audit(db, { action: 'log-verify', outcome, actor: viewer.login, object: 'log', detail }, now())
    return found
  }

  return {
    async datatable(viewer: Viewer, request: DatatableRequest): Promise<DatatableReply<LogEntry>> {
      const reply = await runDatatable<LogRow>(database, logList(viewer, dialect, now()), request)
      const entries = await present(viewer, reply.data)
      return { ...reply, data: entries.map(({ changes: _, position: __, seal: ___, ...entry }) => entry) }
    },
    everything: (viewer: Viewer, request: DatatableRequest): Promise<AsyncIterable<readonly LogDetail[]>> =>
      everyMatch<LogRow, LogDetail>(database, logList(viewer, dialect, now()), request, rows => present(viewer, rows)),
    async get(viewer: Viewer, id: number): Promise<LogDetail> {
      const { select, from, visible } = logList(viewer, dialect, now())
      const { rows } = await sql<LogRow>`select ${select} from ${from} where audit.id = ${id} and ${visible}`.execute(
        db,
      )
      const [entry] = await present(viewer, rows)
      if (entry === undefined) throw notFound('Cette entrée du journal n’existe pas.')
      return entry
    },
    /** Those who ask meanwhile hear the same answer: it reads the whole log. */
    verify(viewer: Viewer): Promise<LogVerification> {
      verifying ??= verify(viewer).finally(() => {
        verifying = null
      })
      return verifying
    },
  }
}
export type LogService = ReturnType<typeof createLogService>

const hostOf = (detail: string): number | null => {
  const told: unknown = JSON.parse(detail)
  if (typeof told !== 'object' || told === null || !('hostId' in told)) return null
  return typeof told.hostId === 'number' ? told.hostId : null
}

const sealedAt = ({ position }: LogRow): number | null => (position !== null && position > 0 ? position : null)

const nameIn = (detail: string): string | undefined => {
  const told: unknown = JSON.parse(detail)
  return typeof told === 'object' && told !== null && 'name' in told && typeof told.name === 'string'
    ? told.name
    : undefined
}

/** Changes that a sentence names. */
const NAMED = 3
const LONGEST = 80
const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** What is said in one line: the one change with its values, several by their names. */
const sentenceOf = (action: string, changes: ToldChanges): string => {
  if (action.endsWith('-create') && changes.every(({ before }) => before === '') && changes.length > NAMED) return ''
  const [first] = changes
  if (first === undefined) return ''
  const isUpdate = changes.some(({ before }) => before !== '') || action.endsWith('-update')
  const more = changes.length - NAMED
  if (!isUpdate)
    return changes
      .slice(0, NAMED)
      .map(({ label, after }) => `${label}\u202f: ${short(after)}`)
      .join(' · ')
  if (changes.length === 1)
    return `${first.label}\u202f: ${short(first.before) || 'vide'} → ${short(first.after) || 'vide'}`
  const names = changes.slice(0, NAMED).map(({ label }) => label)
  return `${names.join(', ')}${more > 0 ? ` et ${more} de plus` : ''}`
}
