import type { BulkReply, DatatableRequest, Scanner, ScannerChange, ScannerInherited } from '@narval/contracts'
import type { Viewer } from '../../http/caller.ts'
import { invalid, invalidField, Refusal } from '../../http/refusal.ts'
import { type ScannerRow, scannerList, toScanner } from '../../monitoring/run/scanner-list.ts'
import { type AuditedChange, auditChanges } from '../../store/audit-change.ts'
import { batches } from '../../store/batches.ts'
import { bulkReplyOf, updateAlike } from '../../store/bulk.ts'
import { countComments } from '../../store/comments.ts'
import type { Db } from '../../store/database.ts'
import { matchingRows, targetIds } from '../../store/matching.ts'
import { modelScannerOf, modelsOf } from '../../store/model-changes.ts'
import { transaction } from '../../store/transaction.ts'
import type { ScannerDeps } from './scanner.service.ts'
import { auditedOf } from './scanner-audit.ts'
import { inheritedInput, scannerColumns } from './scanner-own.ts'
import { checkSchedule } from './scanner-schedule.ts'

interface ScannerBulkBody {
  readonly ids?: readonly number[] | undefined
  readonly filter?: DatatableRequest | undefined
  readonly plan: boolean
  readonly change: ScannerChange
}
interface Step {
  readonly id: number
  readonly hostId: number
  readonly columns: ReturnType<typeof scannerColumns>
  readonly line: AuditedChange
}
const BY_FIELD = ['enabled', 'intervalSeconds', 'attempts'] as const
const FROM_MODEL = 'Ce scanner vient d’un modèle de supervision : désactivez-le, ou retirez le modèle de l’équipement.'

/** One change of many scanners: all that is not refused, in one transaction. */
export const createScannerBulk = (deps: ScannerDeps) => {
  const { database, now, changes, monitoring, samples } = deps
  const lineOf = (viewer: Viewer, scanner: Scanner, after: object | null): AuditedChange => ({
    action: after === null ? 'scanner-delete' : 'scanner-update',
    actor: viewer.login,
    object: `scanner ${scanner.id}`,
    name: scanner.name,
    before: auditedOf(scanner),
    after,
  })

  /** @returns what it becomes, null when it is so already. @throws Refusal */
  const stepOf = (row: ScannerRow, before: Scanner, viewer: Viewer, change: ScannerChange, models: Models) => {
    const said = modelScannerOf(models, row)
    const fields = BY_FIELD.filter(field => change[field] !== undefined)
    const own: ScannerInherited[] =
      said === null
        ? []
        : change.inherit === true
          ? [...fields]
          : [...new Set<ScannerInherited>([...before.overrides, ...fields])]
    const wanted = {
      ...before,
      probeId: change.probeId === undefined ? before.probeId : change.probeId,
      intervalSeconds: change.intervalSeconds === undefined ? before.intervalSeconds : change.intervalSeconds,
      attempts: change.attempts === undefined ? before.attempts : change.attempts,
      enabled: change.enabled ?? before.enabled,
    }
    const input = said === null ? wanted : inheritedInput(wanted, said, own)
    const after = auditedOf({ ...input, overrides: own })
    if (JSON.stringify(auditedOf(before)) === JSON.stringify(after)) return null
    checkSchedule(input, deps.settings())
    return {
      id: row.id,
      hostId: row.host_id,
      columns: scannerColumns(input, own),
      line: lineOf(viewer, before, after),
    } satisfies Step
  }

  const settle = async (ids: readonly number[], hostIds: readonly number[], action: 'updated' | 'deleted') => {
    await monitoring.reloadHosts(hostIds)
    await monitoring.evaluation.between(effects => {
      for (const host of hostIds.flatMap(id => monitoring.model.hosts.get(id) ?? [])) effects.hosts.add(host)
    })
    changes.emit({ entity: 'scanner', ids, action, hostIds })
  }
  const hostsOf = (steps: readonly { readonly hostId: number }[]) => [...new Set(steps.map(step => step.hostId))]

  const alter = async (viewer: Viewer, { change, plan, ...target }: ScannerBulkBody): Promise<BulkReply> => {
    const ids = await targetIds(database, scannerList(viewer), target)
    const { steps, refusals } = await transaction(database.db, async trx => {
      const refusals: BulkReply['refusals'] = []
      const steps: Step[] = []
      await requireProbe(trx, change.probeId)
      for await (const rows of matchingRows<ScannerRow>(trx, scannerList(viewer), ids)) {
        const models = await modelsOf(trx, rows)
        for (const row of rows) {
          const before = toScanner(row, monitoring, deps.settings(), models)
          try {
            const step = stepOf(row, before, viewer, change, models)
            if (step !== null) steps.push(step)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            refusals.push({ id: row.id, name: `${row.host_name} · ${row.name}`, errors: [...error.errors] })
          }
        }
      }
      if (plan) return { steps, refusals }
      await updateAlike(trx, 'scanner', steps, viewer.login, now())
      await auditChanges(
        trx,
        steps.map(step => step.line),
        now(),
      )
      return { steps, refusals }
    })
    if (!plan && steps.length > 0)
      await settle(
        steps.map(step => step.id),
        hostsOf(steps),
        'updated',
      )
    return bulkReplyOf({ matched: ids.length, changed: steps.length, refusals })
  }

  const remove = async (viewer: Viewer, { change, plan, ...target }: ScannerBulkBody): Promise<BulkReply> => {
    if (Object.keys(change).length > 1) throw invalid(['Une suppression va sans autre changement.'])
    const ids = await targetIds(database, scannerList(viewer), target)
    const { refusals, gone, metricIds, comments } = await transaction(database.db, async trx => {
      const refusals: BulkReply['refusals'] = []
      const gone: { id: number; hostId: number }[] = []
      const metricIds: number[] = []
      const lines: AuditedChange[] = []
      for await (const rows of matchingRows<ScannerRow>(trx, scannerList(viewer), ids)) {
        const models = await modelsOf(trx, rows)
        for (const row of rows) {
          const scanner = toScanner(row, monitoring, deps.settings(), models)
          if (scanner.modelId !== null)
            refusals.push({ id: row.id, name: `${row.host_name} · ${row.name}`, errors: [FROM_MODEL] })
          else {
            gone.push({ id: row.id, hostId: row.host_id })
            lines.push(lineOf(viewer, scanner, null))
          }
        }
      }
      const scannerIds = gone.map(one => one.id)
      const comments = await countComments(trx, 'scanner', scannerIds)
      for (const slice of batches(scannerIds)) {
        const metrics = await trx.selectFrom('metric').select('id').where('scanner_id', 'in', slice).execute()
        metricIds.push(...metrics.map(metric => metric.id))
        if (plan) continue
        await trx.updateTable('host').set({ life_scanner_id: null }).where('life_scanner_id', 'in', slice).execute()
        await trx.deleteFrom('scanner').where('id', 'in', slice).execute()
      }
      if (!plan) await auditChanges(trx, lines, now())
      return { refusals, gone, metricIds, comments }
    })
    if (!plan && gone.length > 0) {
      await samples.forget(metricIds)
      await settle(
        gone.map(one => one.id),
        hostsOf(gone),
        'deleted',
      )
    }
    const deletion = { sites: 0, hosts: 0, scanners: gone.length, metrics: metricIds.length, comments }
    return bulkReplyOf({ matched: ids.length, changed: gone.length, refusals, deletion })
  }

  return (viewer: Viewer, body: ScannerBulkBody): Promise<BulkReply> =>
    body.change.delete === true ? remove(viewer, body) : alter(viewer, body)
}
export type ScannerBulk = ReturnType<typeof createScannerBulk>

type Models = Awaited<ReturnType<typeof modelsOf>>

const requireProbe = async (trx: Db, id: number | null | undefined): Promise<void> => {
  if (id == null) return
  const probe = await trx.selectFrom('probe').select('id').where('id', '=', id).executeTakeFirst()
  if (probe === undefined) throw invalidField('probeId', "Cette sonde n'existe pas.")
}
