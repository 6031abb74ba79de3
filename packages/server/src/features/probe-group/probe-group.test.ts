import { PROBE_GROUP_MAX } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'

describe.each(DIALECTS)('groups of probes, on %s', dialect => {
  let test: TestApp
  let admin: Caller
  const probes: number[] = []

  beforeEach(async () => {
    test = await createTestApp({ dialect })
    admin = await test.admin()
    probes.length = 0
    for (const name of ['Alpha', 'Bravo', 'Charlie']) {
      const { id } = await enrolTestProbe(test)
      const { updatedAt } = (await admin.call('GET', `/api/Probe/Get/${id}`)).body
      await admin.call('PUT', `/api/Probe/Update/${id}`, { name, siteId: null, updatedAt })
      probes.push(id)
    }
  })
  afterEach(() => test.close())

  const create = (name: string, memberIds: readonly number[]) =>
    admin.call('POST', '/api/ProbeGroup/Create', { name, memberIds })
  const update = (id: number, body: object) => admin.call('PUT', `/api/ProbeGroup/Update/${id}`, body)
  const audited = async () =>
    (
      await test.database.db
        .selectFrom('audit')
        .selectAll()
        .where('object', 'like', 'probe-group %')
        .orderBy('id')
        .execute()
    ).map(({ action, actor, detail }) => ({ action, actor, ...JSON.parse(detail) }))

  it('keep their members by rank, and say where each stands', async () => {
    const [a = 0, b = 0, c = 0] = probes
    const made = await create('Sondes de Lyon', [c, a])
    expect([made.status, made.body.memberIds]).toEqual([201, [c, a]])
    expect(made.body.members.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ['Charlie', 'offline'],
      ['Alpha', 'offline'],
    ])
    const { id, name, updatedAt } = made.body
    const changed = await update(id, { name, memberIds: [a, b, c], updatedAt })
    expect([changed.status, changed.body.memberIds]).toEqual([200, [a, b, c]])
    expect((await admin.call('GET', '/api/ProbeGroup/Get')).body).toEqual([changed.body])
    expect((await admin.call('GET', `/api/ProbeGroup/Get/${id}`)).body).toEqual(changed.body)
  })

  it('a probe is in one group at most, a name belongs to one, and a probe that is not is refused: in words', async () => {
    const [a = 0, b = 0] = probes
    await create('Lyon', [a])
    const taken = await create('Paris', [b, a])
    expect([taken.status, taken.body.errors]).toEqual([
      409,
      ['La sonde «\u202fAlpha\u202f» est déjà dans le groupe «\u202fLyon\u202f»\u202f: retirez-l’en d’abord.'],
    ])
    expect((await create('LYON', [b])).body.fields).toEqual({ name: 'Ce nom est déjà pris.' })
    expect((await create('Paris', [b, 9_999])).body.fields).toEqual({ memberIds: 'Une de ces sondes n’existe pas.' })
    expect((await create('Paris', [b, b])).status).toBe(400)
    expect(
      (
        await create(
          'Paris',
          Array.from({ length: PROBE_GROUP_MAX + 1 }, (_, index) => index + 1),
        )
      ).status,
    ).toBe(400)
    expect((await admin.call('GET', '/api/ProbeGroup/Get')).body).toHaveLength(1)
  })

  it('two people who change the same one: the second is given the newer, nothing is lost', async () => {
    const { id, updatedAt } = (await create('Lyon', probes)).body
    await update(id, { name: 'Lyon 1', memberIds: probes, updatedAt })
    const late = await update(id, { name: 'Lyon 2', memberIds: [], updatedAt })
    expect([late.status, late.body.current.name]).toEqual([409, 'Lyon 1'])
    expect((await admin.call('GET', `/api/ProbeGroup/Get/${id}`)).body.memberIds).toEqual(probes)
    expect((await update(9_999, { name: 'x', memberIds: [], updatedAt })).status).toBe(404)
  })

  it('two people who put the same probe into two groups at once: one of them is refused', async () => {
    const [a = 0] = probes
    const answers = await Promise.all([create('Lyon', [a]), create('Paris', [a])])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('each change is audited with what was and what is', async () => {
    const [a = 0, b = 0] = probes
    const { id, updatedAt } = (await create('Lyon', [a])).body
    await update(id, { name: 'Lyon', memberIds: [b, a], updatedAt })
    await admin.call('DELETE', `/api/ProbeGroup/Delete/${id}`)
    expect(await audited()).toMatchObject([
      { action: 'probe-group-create', actor: 'admin', changes: { memberIds: { before: null, after: [a] } } },
      { action: 'probe-group-update', changes: { memberIds: { before: [a], after: [b, a] } } },
      { action: 'probe-group-delete', name: 'Lyon', changes: { memberIds: { before: [b, a], after: null } } },
    ])
    expect((await admin.call('GET', `/api/ProbeGroup/Get/${id}`)).status).toBe(404)
  })

  it('are for who administers probes alone', async () => {
    const other = await test.user(['scanner_write', 'host_write'])
    for (const [method, path] of [
      ['GET', '/api/ProbeGroup/Get'],
      ['POST', '/api/ProbeGroup/Create'],
      ['DELETE', '/api/ProbeGroup/Delete/1'],
    ] as const)
      expect(
        (await other.call(method, path, method === 'POST' ? { name: 'x', memberIds: [] } : undefined)).status,
      ).toBe(403)
  })
})
