import { describe, expect, it } from 'vitest'
import { CLAIMS } from './claims.ts'
import { fold } from './fold.ts'
import { hostFields } from './host.ts'
import { IMPORT_CLAIMS, IMPORT_ENTITIES, IMPORT_FIELDS } from './import.ts'
import { metricUpdateBody, thresholds } from './metric.ts'
import { siteBody } from './site.ts'

describe('fields of imports', () => {
  it.each(IMPORT_ENTITIES)('of %s each have a title and a key that no other has, in French typography', entity => {
    const fields = IMPORT_FIELDS[entity]
    expect(new Set(fields.map(field => fold(field.label))).size).toBe(fields.length)
    expect(new Set(fields.map(field => field.field)).size).toBe(fields.length)
    for (const { label, help } of fields) expect(`${label} ${help}`).not.toMatch(/ [:;?!%»]|« |'/)
    expect(CLAIMS).toContain(IMPORT_CLAIMS[entity])
  })

  it('name what single creation takes: each field is one of the schema’s, or what an id of it stands for', () => {
    const names = { type: 'typeId', parent: 'parentId', probe: 'probeId', model: 'modelId', site: 'siteId' }
    const lists = { parents: 'parentIds', models: 'monitoringModelIds' }
    const keyOf = new Map(Object.entries({ ...names, ...lists }))
    const unknown = (entity: 'site' | 'host' | 'metric', keys: readonly string[], besides: readonly string[]) =>
      IMPORT_FIELDS[entity]
        .map(({ field }) => keyOf.get(field) ?? field)
        .filter(key => !keys.includes(key) && !besides.includes(key))
    expect(unknown('site', Object.keys(siteBody.shape), [])).toEqual([])
    expect(unknown('host', Object.keys(hostFields.shape), ['id', 'manufacturer'])).toEqual([])
    const metricKeys = [...Object.keys(metricUpdateBody.shape), ...Object.keys(thresholds.shape)]
    expect(unknown('metric', metricKeys, ['id', 'host', 'scanner', 'key'])).toEqual([])
  })
})
