import {
  IMPORT_MAX_ERRORS,
  IMPORT_SAMPLE_ROWS,
  type ImportError,
  type ImportInput,
  type ImportPlan,
  type ImportRow,
} from '@narval/contracts'
import type { CsvTable } from '../../csv/csv-read.ts'
import { typeset } from '../../http/typeset.ts'
import { createTurns, mapInTurns } from '../../turns.ts'
import {
  type Body,
  type EntityImport,
  type Existing,
  type Identity,
  isFault,
  isSame,
  onCycles,
  type Report,
  type Row,
} from './import-object.ts'

/** What one row asks to write. */
export interface Draft {
  readonly line: number
  /** Below 0 for one that is created. */
  readonly id: number
  readonly existing: Existing | null
  readonly name: string
  readonly body: Body
  /** Fields of the body that differ; all of them for one that is created. */
  readonly changed: readonly string[]
}

export interface Planned {
  readonly plan: Omit<ImportPlan, 'newTypes'>
  /** What is to be written: neither the unchanged nor anything at all when there was an error. */
  readonly drafts: readonly Draft[]
}

interface Faults {
  readonly report: Report
  readonly told: ImportError[]
  readonly lines: ReadonlySet<number>
  count(): number
}

/** Gathers faults with the title of their column, in the order of lines. */
const createFaults = (
  header: readonly string[],
  columns: ReadonlyMap<string, number>,
  entity: EntityImport,
): Faults => {
  const told: ImportError[] = []
  const lines = new Set<number>()
  let count = 0
  return {
    told,
    lines,
    count: () => count,
    report(row, field, message) {
      count += 1
      lines.add(row.line)
      if (told.length >= IMPORT_MAX_ERRORS) return
      const label = entity.fields.find(one => one.field === field)?.label ?? ''
      told.push({ line: row.line, column: header[columns.get(field) ?? -1] || label, message: typeset(message) })
    },
  }
}

/** Says what the rows of a file would do, without writing anything; `step` is called once a row. */
export const planImport = async (
  entity: EntityImport,
  table: CsvTable,
  input: ImportInput,
  step: () => void,
): Promise<Planned> => {
  const columns = new Map(Object.entries(input.mapping).map(([column, field]) => [field, Number(column)]))
  const faults = createFaults(table.header, columns, entity)
  const rows = table.rows.map(
    ({ line, cells }): Row => ({
      line,
      cell: field => {
        const column = columns.get(field)
        return column === undefined ? undefined : (cells[column] ?? '').trim()
      },
    }),
  )
  refuseWidths(table, faults.report, rows)
  const turn = createTurns()
  const identities = await identified(rows, await entity.identify(rows, faults.report), entity, input, faults.report)
  const drafts: Draft[] = []
  for (const [index, row] of rows.entries()) {
    await turn()
    step()
    const identity = identities[index] ?? null
    if (identity === null) continue
    const draft = draftOf(entity, row, identity, -(index + 1), [...columns.keys()], faults.report)
    if (draft !== null) drafts.push(draft)
  }
  reportCycles(entity, drafts, rows, faults.report)
  return {
    plan: summaryOf(entity, drafts, faults, [...columns.keys()]),
    drafts: faults.count() > 0 ? [] : drafts.filter(draft => draft.changed.length > 0),
  }
}

/** A row with too few or too many cells has lost its columns: what stands where can not be known. */
const refuseWidths = (table: CsvTable, report: Report, rows: readonly Row[]): void => {
  const width = table.header.length
  for (const [index, { cells }] of table.rows.entries()) {
    const row = rows[index]
    const isWhole = cells.length === width || (cells.length > width && cells.slice(width).every(cell => cell === ''))
    if (row !== undefined && !isWhole)
      report(
        row,
        '',
        `Cette ligne a ${cells.length} cellule${cells.length > 1 ? 's' : ''}, la ligne de titres ${width}.`,
      )
  }
}

/** Takes out rows that mean the same object as one before, or that the mode does not allow; announces what will be new. */
const identified = async (
  rows: readonly Row[],
  identities: readonly (Identity | null)[],
  entity: EntityImport,
  input: ImportInput,
  report: Report,
): Promise<(Identity | null)[]> => {
  const lines = new Map<string, number>()
  const named = entity.fields.find(one => one.required)?.field ?? 'id'
  return mapInTurns(rows, (row, index) => {
    const identity = identities[index] ?? null
    if (identity === null) return null
    const before = lines.get(identity.key)
    lines.set(identity.key, before ?? row.line)
    const refusal = refusalOf(identity, before, entity, input.mode)
    if (refusal !== null) report(row, named, refusal)
    else if (identity.existing === null) entity.announce(-(index + 1), row, identity)
    return refusal === null ? identity : null
  })
}

const refusalOf = (
  { existing }: Identity,
  lineBefore: number | undefined,
  { words, creates }: EntityImport,
  mode: ImportInput['mode'],
): string | null => {
  if (lineBefore !== undefined)
    return `La ligne ${lineBefore} dit déjà la même chose : une seule des deux est possible.`
  if (existing !== null) return mode === 'create' ? words.exists : null
  return mode === 'update' || !creates ? words.missing : null
}

const draftOf = (
  entity: EntityImport,
  row: Row,
  { existing, name }: Identity,
  newId: number,
  fields: readonly string[],
  report: Report,
): Draft | null => {
  let body: Body = existing?.body ?? {}
  const faulty = new Set<string>()
  for (const field of fields) {
    const given = entity.read(field, row.cell(field) ?? '', row, body, existing)
    if (isFault(given)) {
      report(row, field, given.fault)
      faulty.add(field)
    } else body = { ...body, ...given }
  }
  const checked = entity.validate(body, existing)
  // All faults of a row at once: those of other columns too.
  if ('faults' in checked) {
    for (const { field, message } of checked.faults) if (!faulty.has(field)) report(row, field, message)
    return null
  }
  if (faulty.size > 0) return null
  const keys = Object.keys(checked.body)
  const changed = existing === null ? keys : keys.filter(key => !isSame(checked.body[key], existing.body[key]))
  return {
    line: row.line,
    id: existing?.id ?? newId,
    existing,
    name: existing?.name ?? name,
    body: checked.body,
    changed,
  }
}

const reportCycles = (entity: EntityImport, drafts: readonly Draft[], rows: readonly Row[], report: Report): void => {
  const parents = new Map(entity.parents)
  for (const draft of drafts) parents.set(draft.id, [...new Set(entity.parentsOf(draft.body))])
  const cycles = onCycles(parents)
  if (cycles.size === 0) return
  const byLine = new Map(rows.map(row => [row.line, row]))
  for (const draft of drafts) {
    const row = byLine.get(draft.line)
    if (cycles.has(draft.id) && row !== undefined) report(row, entity.cycleFault.field, entity.cycleFault.message)
  }
}

const actionOf = (draft: Draft): ImportRow['action'] =>
  draft.existing === null ? 'create' : draft.changed.length > 0 ? 'update' : 'unchanged'

const summaryOf = (
  entity: EntityImport,
  drafts: readonly Draft[],
  faults: Faults,
  fields: readonly string[],
): Planned['plan'] => {
  const actions = drafts.map(actionOf)
  const count = (action: ImportRow['action']): number => actions.filter(one => one === action).length
  return {
    create: count('create'),
    update: count('update'),
    unchanged: count('unchanged'),
    errors: faults.told.toSorted((a, b) => a.line - b.line),
    errorCount: faults.count(),
    sample: drafts.slice(0, IMPORT_SAMPLE_ROWS).map(draft => sampleOf(entity, draft, fields)),
  }
}

const sampleOf = (entity: EntityImport, draft: Draft, fields: readonly string[]): ImportRow => ({
  line: draft.line,
  action: actionOf(draft),
  name: draft.name,
  changes: fields.flatMap(field => {
    const before = draft.existing === null ? '' : entity.show(field, draft.existing.body)
    const after = entity.show(field, draft.body)
    const label = entity.fields.find(one => one.field === field)?.label ?? field
    return before === after ? [] : [{ label, before, after }]
  }),
})
