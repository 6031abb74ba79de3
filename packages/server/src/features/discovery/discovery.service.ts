import type { ApproveInput, ApproveReply, DatatableRequest, DiscoveryFinding, reviewBody } from '@narval/contracts'
import type * as z from 'zod/mini'
import type { Changes } from '../../changes.ts'
import type { Viewer } from '../../http/caller.ts'
import { notFound } from '../../http/refusal.ts'
import { audit } from '../../store/audit.ts'
import { runDatatable } from '../../store/datatable.ts'
import { fetchOne } from '../../store/fetch.ts'
import { transaction } from '../../store/transaction.ts'
import { approveFindings } from './approval.ts'
import { type FindingRow, findingList, readCatalogue, toFinding } from './finding.store.ts'
import { createLookService } from './look.service.ts'
import { createRangeService } from './range.service.ts'
import { createRunService, RUN_TICK_MS, type RunDeps } from './run.service.ts'
import { texts } from './texts.ts'

export interface DiscoveryDeps extends RunDeps {
  readonly changes: Changes
}

/** Ranges, their runs, and the queue of what they found. */
export const createDiscoveryService = (deps: DiscoveryDeps) => {
  const { database, now, monitoring, changes, log } = deps
  const { db } = database
  const runs = createRunService(deps)
  const ranges = createRangeService({ ...deps, runs })
  const looks = createLookService(deps)
  let timer: NodeJS.Timeout | null = null
  let ticking: Promise<void> = Promise.resolve()

  const settle = async (hostIds: readonly number[]): Promise<void> => {
    await monitoring.reloadHosts(hostIds)
    await monitoring.evaluation.between(effects => {
      for (const id of hostIds) {
        const host = monitoring.model.hosts.get(id)
        if (host !== undefined) effects.hosts.add(host)
      }
    })
    changes.emit({ entity: 'host', ids: hostIds, action: 'created' })
  }
  const tick = async (): Promise<void> => {
    try {
      await runs.tick()
      await ranges.startDue()
    } catch (err) {
      log.error({ err }, 'discoveries not looked after')
    }
  }

  return {
    ranges,
    runs,
    looks,
    tick,
    async finding(id: number): Promise<DiscoveryFinding> {
      const row = await fetchOne<FindingRow>(db, findingList, id)
      if (row === null) throw notFound(texts.noFinding)
      return toFinding(row, await readCatalogue(db))
    },
    async datatable(request: DatatableRequest) {
      const page = await runDatatable<FindingRow>(database, findingList, request)
      const catalogue = await readCatalogue(db)
      return { ...page, data: page.data.map(row => toFinding(row, catalogue)) }
    },
    async approve(viewer: Viewer, body: ApproveInput): Promise<ApproveReply> {
      const reply = await transaction(db, trx => approveFindings(trx, database, viewer, body, now()))
      const made = reply.created.flatMap(({ hostId }) => hostId ?? [])
      if (made.length > 0) await settle(made)
      return reply
    },
    async review(viewer: Viewer, { ids, action }: z.output<typeof reviewBody>): Promise<{ changed: number }> {
      const change = { accept: { changes: '[]' }, ignore: { ignored: 1 }, restore: { ignored: 0 } } as const
      return transaction(db, async trx => {
        const done =
          action === 'forget'
            ? Number(
                (await trx.deleteFrom('discovery_finding').where('id', 'in', ids).executeTakeFirst()).numDeletedRows,
              )
            : Number(
                (
                  await trx
                    .updateTable('discovery_finding')
                    .set(change[action])
                    .where('id', 'in', ids)
                    .executeTakeFirst()
                ).numUpdatedRows,
              )
        const detail = { action, ids: ids.slice(0, 100), changed: done }
        await audit(trx, { action: 'discovery-review', outcome: 'success', actor: viewer.login, detail }, now())
        return { changed: done }
      })
    },
    /** What was under way when the server ended is said to be so; then looks after runs. */
    async start(): Promise<void> {
      await runs.book.interruptAll(texts.serverStopped)
      timer = setInterval(() => {
        ticking = ticking.then(tick)
      }, RUN_TICK_MS)
    },
    async stop(): Promise<void> {
      if (timer !== null) clearInterval(timer)
      await ticking
    },
  }
}
export type DiscoveryService = ReturnType<typeof createDiscoveryService>
