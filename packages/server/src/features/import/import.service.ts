import {
  CLAIM_TEXTS,
  grants,
  IMPORT_CLAIMS,
  type ImportEntity,
  type ImportField,
  type ImportFile,
  type ImportInput,
  type ImportPlan,
  type ImportState,
} from '@narval/contracts'
import type { Logger } from 'pino'
import type { Changes } from '../../changes.ts'
import { type CsvTable, readCsv } from '../../csv/csv-read.ts'
import type { Viewer } from '../../http/caller.ts'
import { conflict, forbidden, Refusal } from '../../http/refusal.ts'
import { typeset } from '../../http/typeset.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SampleStore } from '../../samples/sample-store.ts'
import { audit } from '../../store/audit.ts'
import { batches } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import { fieldsFor } from '../../store/field-access.ts'
import { transaction } from '../../store/transaction.ts'
import { createTurns } from '../../turns.ts'
import { createHeldFiles, type HeldFile } from './held-files.ts'
import { hostImport } from './host-import.ts'
import { readLists, readMapping, saveMapping } from './import.store.ts'
import { importableFields, scopeOf, withCustomFields } from './import-custom-fields.ts'
import { guessMapping, headerKey, refuseMapping, rememberedMapping } from './import-mapping.ts'
import { type Draft, planImport } from './import-plan.ts'
import { createReferences, type NewName } from './import-references.ts'
import { writeImport } from './import-write.ts'
import { metricImport } from './metric-import.ts'
import { siteImport } from './site-import.ts'
import type { Written } from './writing.ts'

export interface ImportDeps {
  readonly database: Database
  readonly now: () => number
  readonly changes: Changes
  readonly monitoring: Monitoring
  readonly samples: SampleStore
  readonly log: Logger
}

interface Plan {
  readonly plan: ImportPlan
  readonly drafts: readonly Draft[]
  readonly newNames: readonly NewName[]
}

/** Import in steps: a file is held in memory, checked as often as one likes, then written whole or not at all. */
export const createImportService = (deps: ImportDeps) => {
  const { database, now, log } = deps
  const files = createHeldFiles(now)

  /** The file of this viewer, who still has the right (S35). */
  const fileOf = (viewer: Viewer, id: number): HeldFile => {
    const file = files.get(viewer.userId, id)
    requireRight(viewer, file.entity)
    return file
  }

  const planOf = async (viewer: Viewer, file: HeldFile, table: CsvTable, input: ImportInput): Promise<Plan> => {
    const { db } = database
    const references = createReferences(await readLists(db), input.createTypes)
    const base =
      file.entity === 'site'
        ? await siteImport(db, viewer, references)
        : file.entity === 'host'
          ? await hostImport(db, viewer, references)
          : await metricImport(db, viewer)
    const entity = await withCustomFields(base, database, viewer)
    const { plan, drafts } = await planImport(entity, table, input, () => {
      file.progress = { ...file.progress, done: file.progress.done + 1 }
    })
    const newTypes = references.created.map(({ name, manufacturer }) => `${manufacturer} ${name}`.trim())
    return { plan: { ...plan, newTypes }, drafts, newNames: references.created }
  }

  /** Holds the file for one step; another asked meanwhile is refused. */
  const begin = async (
    viewer: Viewer,
    file: HeldFile,
    state: 'checking' | 'running',
    input: ImportInput,
  ): Promise<CsvTable> => {
    const fields = await importableFields(database, viewer, file.entity)
    if (file.progress.state === 'checking' || file.progress.state === 'running')
      throw conflict('Cet import est en cours.')
    if (file.table === null) throw conflict('Ce fichier est déjà importé : déposez-le à nouveau.')
    refuseMapping(input, file.table.header.length, fields)
    file.progress = { state, done: 0, total: file.table.rows.length * 2, result: null, message: '' }
    return file.table
  }

  const write = async (viewer: Viewer, file: HeldFile, { plan, drafts, newNames }: Plan): Promise<Written> => {
    const access = await fieldsFor(database, viewer, scopeOf(file.entity) ?? undefined)
    const { done } = file.progress
    return transaction(database.db, async trx => {
      file.progress = { ...file.progress, done }
      const written = await writeImport(trx, {
        database,
        entity: file.entity,
        drafts,
        newNames,
        access,
        by: viewer.login,
        nowMs: now(),
        step: rows => {
          file.progress = { ...file.progress, done: file.progress.done + rows }
        },
      })
      const detail = {
        file: file.name,
        create: plan.create,
        update: plan.update,
        unchanged: plan.unchanged,
        newTypes: plan.newTypes.slice(0, 50),
      }
      await audit(
        trx,
        { action: 'import', outcome: 'success', actor: viewer.login, object: file.entity, detail },
        now(),
      )
      return written
    })
  }

  /** Tells monitoring and who looks on, after the commit. */
  const told = async (entity: ImportEntity, { createdIds, updatedIds, models }: Written): Promise<void> => {
    if (models !== null) await deps.samples.forget(models.deletedMetricIds)
    await deps.monitoring.reload()
    const { model, evaluation } = deps.monitoring
    const turn = createTurns()
    for (const slice of batches([...createdIds, ...updatedIds], TOLD)) {
      await evaluation.between(effects => {
        for (const id of slice) {
          const host =
            entity === 'host'
              ? model.hosts.get(id)
              : entity === 'metric'
                ? model.metrics.get(id)?.scanner.host
                : undefined
          if (host !== undefined) effects.hosts.add(host)
        }
      })
      await turn()
    }
    if (createdIds.length > 0) deps.changes.emit({ entity, ids: createdIds, action: 'created' })
    if (updatedIds.length > 0) deps.changes.emit({ entity, ids: updatedIds, action: 'updated' })
  }

  const run = async (viewer: Viewer, file: HeldFile, table: CsvTable, input: ImportInput): Promise<void> => {
    const planned = await planOf(viewer, file, table, input)
    const { plan } = planned
    if (plan.errorCount > 0) {
      const message = `Rien n'a été importé : ${plan.errorCount} erreur${plan.errorCount > 1 ? 's' : ''}.`
      file.progress = { ...file.progress, state: 'failed', result: plan, message: typeset(message) }
      return
    }
    const written = await write(viewer, file, planned)
    // It is written: what goes wrong from here on is a fault to look into, not an import that was refused.
    try {
      await told(file.entity, written)
      await saveMapping(database.db, {
        account_id: viewer.userId,
        entity: file.entity,
        header: headerKey(table.header),
        mapping: JSON.stringify(input.mapping),
        used_at: now(),
      })
    } catch (error) {
      log.error({ err: error, import: file.id }, 'imported, but not told to all')
    }
    file.table = null
    file.progress = { ...file.progress, state: 'done', done: file.progress.total, result: plan }
  }

  const failed = (file: HeldFile, error: unknown): void => {
    if (!(error instanceof Refusal)) log.error({ err: error, import: file.id }, 'import failed')
    const why =
      error instanceof Refusal ? error.errors.join(' ') : "Une erreur inattendue s'est produite : rien n'a été importé."
    file.progress = { ...file.progress, state: 'failed', result: null, message: typeset(why) }
  }

  return {
    /** Who may not import an entity is refused before his file is received. */
    admit: ({ entity }: { entity: ImportEntity }, viewer: Viewer): void => requireRight(viewer, entity),
    async file(viewer: Viewer, query: { entity: ImportEntity; name: string }, body: Uint8Array): Promise<ImportFile> {
      const file = await files.hold(viewer.userId, query.entity, query.name, () =>
        readCsv(Buffer.from(body.buffer, body.byteOffset, body.byteLength)),
      )
      const { header } = file.table
      const fields = await importableFields(database, viewer, query.entity)
      const kept = await readMapping(database.db, viewer.userId, query.entity, headerKey(header))
      return shown(
        file,
        fields,
        kept === null ? guessMapping(header, fields) : rememberedMapping(kept, header.length, fields),
        kept !== null,
      )
    },
    async check(viewer: Viewer, id: number, input: ImportInput): Promise<ImportPlan> {
      const file = fileOf(viewer, id)
      const table = await begin(viewer, file, 'checking', input)
      try {
        return (await planOf(viewer, file, table, input)).plan
      } finally {
        file.progress = { ...file.progress, state: 'ready', done: 0 }
      }
    },
    async run(viewer: Viewer, id: number, input: ImportInput): Promise<ImportState> {
      const file = fileOf(viewer, id)
      const table = await begin(viewer, file, 'running', input)
      void run(viewer, file, table, input).catch(error => failed(file, error))
      return file.progress
    },
    async get(viewer: Viewer, id: number): Promise<ImportState> {
      return fileOf(viewer, id).progress
    },
    async delete(viewer: Viewer, id: number): Promise<undefined> {
      fileOf(viewer, id)
      files.forget(viewer.userId, id)
      return undefined
    },
  }
}
export type ImportService = ReturnType<typeof createImportService>

const requireRight = (viewer: Viewer, entity: ImportEntity): void => {
  const claim = IMPORT_CLAIMS[entity]
  if (!grants(viewer.claims, claim)) throw forbidden(`Cette action demande le droit « ${CLAIM_TEXTS[claim].label} ».`)
}

/** Hosts whose state is told in one commit. */
const TOLD = 500
const SHOWN_SAMPLES = 3
const SHOWN_CHARACTERS = 200
const shown = (
  file: HeldFile & { table: CsvTable },
  fields: readonly ImportField[],
  mapping: readonly (string | null)[],
  remembered: boolean,
): ImportFile => {
  const { header, rows, encoding, delimiter } = file.table
  return {
    id: file.id,
    entity: file.entity,
    name: file.name,
    encoding,
    delimiter,
    rows: rows.length,
    columns: header.map((title, column) => ({
      header: title.slice(0, SHOWN_CHARACTERS),
      sample: rows.slice(0, SHOWN_SAMPLES).map(({ cells }) => (cells[column] ?? '').slice(0, SHOWN_CHARACTERS)),
      field: mapping[column] ?? null,
    })),
    fields: [...fields],
    remembered,
  }
}
