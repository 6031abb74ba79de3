import { DISCOVERY_ROLES } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { createShippedModels, SHIPPED_KEYS, shippedModel } from './shipped-models.ts'
import { readShippedModels } from './store/shipped-models.ts'
import { createTestApp, DIALECTS, type TestApp } from './testing/test-app.ts'

let test: TestApp
afterEach(() => test?.close())

it('each model that ships is one that a person could have saved, as it is', async () => {
  test = await createTestApp()
  const admin = await test.admin()
  for (const key of SHIPPED_KEYS) {
    const model = shippedModel(key)
    const saved = await admin.make('/api/Model/Create', model)
    expect(saved.definition, key).toEqual(model.definition)
  }
})

it('there is one for everything that discovery recognises and that has no other', () => {
  const named = DISCOVERY_ROLES.filter(role => role !== 'firewall' && role !== 'unknown')
  expect([...SHIPPED_KEYS].toSorted()).toEqual(named.toSorted())
})

describe.each(DIALECTS)('on %s', dialect => {
  it('they come once, keep what people made of them, stay away once deleted, and take no name that is taken', async () => {
    test = await createTestApp({ dialect })
    const { db } = test.database
    const admin = await test.admin()
    await admin.make('/api/Model/Create', { name: 'Routeur', definition: { scanners: [], fields: {} } })
    await createShippedModels(test.database, Date.now())
    const first = await readShippedModels(db)
    expect(first.map(model => model.key)).toEqual([...SHIPPED_KEYS].toSorted())
    expect(first.find(model => model.key === 'router')?.name).toBe('Routeur (Narval)')
    const printer = first.find(model => model.key === 'printer')?.id ?? 0
    await db
      .updateTable('monitoring_model')
      .set({ name: 'Nos imprimantes', name_folded: 'nos imprimantes' })
      .where('id', '=', printer)
      .execute()
    const ups = first.find(model => model.key === 'ups')?.id ?? 0
    expect((await admin.call('DELETE', `/api/Model/Delete/${ups}`)).status).toBeLessThan(300)
    await createShippedModels(test.database, Date.now())
    const second = await readShippedModels(db)
    expect(second.find(model => model.key === 'printer')).toMatchObject({ id: printer, name: 'Nos imprimantes' })
    expect(second.map(model => model.key)).not.toContain('ups')
    expect(second).toHaveLength(SHIPPED_KEYS.length - 1)
  })
})
