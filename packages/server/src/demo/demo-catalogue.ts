import type { App } from '../app.ts'
import { createDefinitionService } from '../features/custom-field/definition.service.ts'
import { createGroupService } from '../features/custom-field/group.service.ts'
import { createModelService } from '../features/model/model.service.ts'
import type { Viewer } from '../http/caller.ts'
import type { SampleStore } from '../samples/sample-store.ts'
import type { Database, Db } from '../store/database.ts'
import type { Dialect } from '../store/dialect.ts'
import type { FieldAccess } from '../store/field-access.ts'
import { writeFieldValues } from '../store/field-values.ts'
import { DEMO_FIELDS, DEMO_MODEL_INPUTS, DEMO_MODELS, type DemoModel } from './demo-models.ts'
import type { DemoSite } from './fleet.ts'

/** In whose name the demonstration is made: no account, only a name in the audit. */
export const DEMO_VIEWER: Viewer = {
  userId: 0,
  login: 'demo',
  sessionId: null,
  credential: 'demo',
  firstConnection: false,
  signedInMs: 0,
  claims: new Set(['admin']),
  ...{ place: null, limits: new Map() },
}

/** Custom fields of the demonstration, for the types of equipment that they concern. */
export const createDemoFields = async (
  app: App,
  database: Database,
  types: ReadonlyMap<string, number>,
): Promise<void> => {
  const deps = { database, now: Date.now, changes: app.changes, reloadHosts: async () => undefined }
  const groups = createGroupService(deps)
  const definitions = createDefinitionService(deps)
  for (const { group, fields } of DEMO_FIELDS) {
    const { id } = await groups.create(DEMO_VIEWER, { name: group })
    for (const { of, input } of fields) {
      const concerned = of.flatMap(name => types.get(name) ?? [])
      await definitions.create(DEMO_VIEWER, { ...input, groupId: id, types: concerned })
    }
  }
}

/** Monitoring models of the demonstration; hosts come to them later. */
export const createDemoModels = async (
  app: App,
  database: Database,
  samples: SampleStore,
): Promise<ReadonlyMap<DemoModel, number>> => {
  const service = createModelService({
    database,
    samples,
    now: Date.now,
    changes: app.changes,
    monitoring: app.monitoring,
    settings: () => app.settings.current(),
  })
  const made = new Map<DemoModel, number>()
  for (const model of DEMO_MODELS) made.set(model, (await service.create(DEMO_VIEWER, DEMO_MODEL_INPUTS[model])).id)
  return made
}

interface SiteValues {
  readonly site: DemoSite
  /** Of its hosts, in their order. */
  readonly ids: readonly number[]
  readonly types: ReadonlyMap<string, number>
  readonly access: readonly FieldAccess[]
  readonly dialect: Dialect
  readonly nowMs: number
}

/** Values of the custom fields of a site's hosts. */
export const writeDemoValues = async (trx: Db, of: SiteValues): Promise<void> => {
  const { site, ids, types, access, dialect, nowMs } = of
  for (const [rank, host] of site.hosts.entries()) {
    const id = ids[rank]
    if (id === undefined || Object.keys(host.fields).length === 0) continue
    await writeFieldValues(trx, {
      dialect,
      scope: 'host',
      owner: { id, typeId: types.get(host.type) ?? null, name: host.name },
      access,
      values: host.fields,
      by: DEMO_VIEWER.login,
      nowMs,
      seal: () => {
        throw new Error('the demonstration has no secrets')
      },
    })
  }
}
