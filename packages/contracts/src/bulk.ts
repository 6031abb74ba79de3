import * as z from 'zod/mini'
import { datatableRequest } from './datatable.ts'
import { deletionPlan } from './deletion-plan.ts'
import { holidayHours } from './opening-hours.ts'
import { idValue, nullableId, requiredLine, timeZone } from './schema.ts'

/** Most records that one call changes. */
export const BULK_MAX = 50_000
export const BULK_MAX_IDS = 10_000
/** Refusals that an answer tells one by one; their number is told whole. */
export const BULK_MAX_TOLD = 100

/** Which records: those ticked, or all that the request of a list matches (its page and order do not count). */
const target = {
  ids: z.optional(z.array(idValue).check(z.minLength(1), z.maxLength(BULK_MAX_IDS))),
  filter: z.optional(datatableRequest),
  /** Changes nothing: only says what it would do. */
  plan: z._default(z.boolean(), false),
}
const isOneTarget = (body: { ids?: unknown; filter?: unknown }): boolean =>
  (body.ids === undefined) !== (body.filter === undefined)
const ONE_TARGET = 'Donner soit « ids », soit « filter »'
const isSomeChange = (change: object): boolean => Object.values(change).some(value => value !== undefined)
const NO_CHANGE = 'Aucun changement demandé'

const tags = z.optional(z.array(requiredLine(40)).check(z.maxLength(20)))
const ids = z.optional(z.array(idValue).check(z.maxLength(20)))

/** What is left out stays as it is. `delete` goes alone. */
export const hostChange = z
  .strictObject({
    siteId: z.optional(idValue),
    typeId: z.optional(nullableId),
    modelId: z.optional(nullableId),
    probeId: z.optional(nullableId),
    enabled: z.optional(z.boolean()),
    addTags: tags,
    removeTags: tags,
    addParentIds: ids,
    removeParentIds: ids,
    addMonitoringModelIds: ids,
    removeMonitoringModelIds: ids,
    delete: z.optional(z.literal(true)),
  })
  .check(z.refine(isSomeChange, NO_CHANGE))
export type HostChange = z.output<typeof hostChange>
export const hostBulkBody = z.object({ ...target, change: hostChange }).check(z.refine(isOneTarget, ONE_TARGET))

export const siteChange = z
  .strictObject({
    typeId: z.optional(nullableId),
    parentId: z.optional(nullableId),
    probeId: z.optional(nullableId),
    country: z.optional(requiredLine(100)),
    timeZone: z.optional(timeZone),
    holidays: z.optional(holidayHours),
    /** `cascade` also takes what stands on them. */
    delete: z.optional(z.enum(['alone', 'cascade'])),
  })
  .check(z.refine(isSomeChange, NO_CHANGE))
export type SiteChange = z.output<typeof siteChange>
export const siteBulkBody = z.object({ ...target, change: siteChange }).check(z.refine(isOneTarget, ONE_TARGET))

export const metricChange = z
  .strictObject({
    attempts: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(20)))),
    noData: z.optional(z.enum(['unknown', 'keep'])),
    enabled: z.optional(z.boolean()),
    /** Takes away all that is their own: they follow their model or their kind of scanner again. */
    inherit: z.optional(z.literal(true)),
    delete: z.optional(z.literal(true)),
  })
  .check(z.refine(isSomeChange, NO_CHANGE))
export type MetricChange = z.output<typeof metricChange>
export const metricBulkBody = z.object({ ...target, change: metricChange }).check(z.refine(isOneTarget, ONE_TARGET))

export const scannerChange = z
  .strictObject({
    probeId: z.optional(nullableId),
    enabled: z.optional(z.boolean()),
    intervalSeconds: z.optional(z.nullable(z.int().check(z.minimum(5), z.maximum(86_400)))),
    attempts: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(20)))),
    /** Takes away all that is their own: they follow their model or the platform again. */
    inherit: z.optional(z.literal(true)),
    delete: z.optional(z.literal(true)),
  })
  .check(z.refine(isSomeChange, NO_CHANGE))
export type ScannerChange = z.output<typeof scannerChange>
export const scannerBulkBody = z.object({ ...target, change: scannerChange }).check(z.refine(isOneTarget, ONE_TARGET))

export const bulkReply = z.object({
  /** Records that the ids or the filter stand for. */
  matched: z.int(),
  changed: z.int(),
  /** Those that already were so. */
  unchanged: z.int(),
  refused: z.int(),
  refusals: z.array(z.object({ id: idValue, name: z.string(), errors: z.array(z.string()) })),
  /** What a deletion takes along; null otherwise. */
  deletion: z.nullable(deletionPlan),
})
export type BulkReply = z.output<typeof bulkReply>
