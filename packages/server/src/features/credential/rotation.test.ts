import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createSecretBox, keyOf, type SecretBox } from '../../secret-box.ts'
import { DIALECTS } from '../../testing/test-app.ts'
import { resealAll } from './rotation.store.ts'
import { credentialKit, HTTP, memoryStore } from './testing-credential.ts'

const kit = credentialKit()
const { open, site, put, get, rows } = kit
afterEach(() => kit.test.close())

describe.each(DIALECTS)('S59: the rotation of keys on %s', dialect => {
  it('under writes that go on, seals all with the new key, loses none, and forgets the old one', async () => {
    const store = memoryStore()
    await open(dialect, store)
    const ids: number[] = []
    for (let n = 0; n < 20; n += 1) ids.push(await site(`S${n}`))
    const last = new Map<number, string>()
    const write = async (id: number, round: number): Promise<void> => {
      const answer = await put('Site', id, 'http', { username: 'u', password: `mdp-${id}-${round}` })
      if (answer.status === 200) last.set(id, `mdp-${id}-${round}`)
      else throw new Error(JSON.stringify(answer.body))
    }
    for (const id of ids) await write(id, 0)
    const before = kit.box.currentKey()
    const rotation = kit.admin.call('POST', '/api/Credential/Rotate')
    const writers = ids.slice(0, 10).map(async id => {
      for (let round = 1; round <= 8; round += 1) await write(id, round)
    })
    const [answer] = await Promise.all([rotation, ...writers])
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ unreadable: 0, dropped: 1 })
    expect(store.saved.map(keys => keys.length)).toEqual([2, 1])
    const after = await rows()
    expect(new Set(after.map(row => keyOf(row.secret)))).toEqual(new Set([kit.box.currentKey()]))
    expect(kit.box.currentKey()).not.toBe(before)
    for (const row of after)
      expect(JSON.parse(kit.box.open(row.secret, `site:${row.owner_id}:http`) ?? '{}')).toEqual({
        password: last.get(row.owner_id),
      })
    const [line] = await kit.test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'secret-rotation')
      .orderBy('id')
      .execute()
    expect([line?.actor, JSON.parse(line?.detail ?? '{}').key]).toEqual(['admin', kit.box.currentKey()])
  })

  it('broken off, it leaves both keys and nothing unreadable; the next one ends the work, fields of type secret too', async () => {
    await open(dialect)
    const id = await site('LYO')
    await put('Site', id, 'http', HTTP)
    const group = await kit.test.database.db
      .insertInto('field_group')
      .values({ name: 'G', name_folded: 'g', position: 0, created_at: 1, updated_at: 1, updated_by: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const field = await kit.test.database.db
      .insertInto('field_definition')
      .values({
        ...{ key: 'code', label: 'Code', label_folded: 'code', help: '', type: 'secret', unit: '', default_value: '' },
        ...{ required: 0, regex: '', min_value: null, max_value: null, choices: '[]', group_id: group.id, position: 0 },
        ...{ scope: 'site', types: '[]', created_at: 1, updated_at: 1, updated_by: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = `field:${field.id}:${id}`
    const value = await kit.box.writing(async seal => seal('secret de champ', place))
    await kit.test.database.db
      .insertInto('field_value')
      .values({
        definition_id: field.id,
        owner_id: id,
        value,
        value_folded: '',
        value_number: null,
        updated_at: 1,
        updated_by: null,
      })
      .execute()
    await kit.box.renewKey()
    expect((await get('Site', id)).http.own.unreadable).toBe(false)
    const answer = await kit.admin.call('POST', '/api/Credential/Rotate')
    expect(answer.body).toEqual({ resealed: 2, unreadable: 0, dropped: 2 })
    const [stored] = await kit.test.database.db.selectFrom('field_value').select('value').execute()
    expect(stored?.value).not.toBe(value)
    expect(kit.box.open(stored?.value ?? '', place)).toBe('secret de champ')
  })

  it('a text that changed between its reading and its sealing is left as it was written', async () => {
    await open(dialect)
    const id = await site('LYO')
    await put('Site', id, 'http', { username: 'u', password: 'ancien' })
    await kit.box.renewKey()
    // Written by the reopening of each text: what a writer on another node would do in between.
    const meddling: SecretBox = {
      ...kit.box,
      writing: async work => {
        await kit.test.database.db.updateTable('credential').set({ secret: 'v1.ffffffff.AAAA' }).execute()
        return kit.box.writing(work)
      },
    }
    expect(await resealAll(kit.test.database.db, meddling)).toMatchObject({ resealed: 0 })
    expect((await rows()).map(row => row.secret)).toEqual(['v1.ffffffff.AAAA'])
  })

  it('two at once: one is refused; with keys given from outside, all is sealed by the first and none forgotten', async () => {
    const old = randomBytes(32)
    await open(dialect, { keys: [randomBytes(32), old], save: null })
    const id = await site('LYO')
    await put('Site', id, 'http', HTTP)
    const sealed = await createSecretBox({ keys: [old], save: null }).writing(async seal =>
      seal(JSON.stringify({ password: 'ancien' }), `site:${id}:http`),
    )
    await kit.test.database.db.updateTable('credential').set({ secret: sealed }).execute()
    // The first one waits for a write that began before it.
    const gate = Promise.withResolvers<void>()
    const slow = kit.box.writing(() => gate.promise)
    const both = [1, 2].map(() => kit.admin.call('POST', '/api/Credential/Rotate'))
    const refused = await Promise.race(both)
    expect([refused.status, refused.body.errors[0]]).toEqual([409, expect.stringContaining('déjà en cours')])
    gate.resolve()
    await slow
    const answers = await Promise.all(both)
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect(answers.find(answer => answer.status === 200)?.body).toEqual({ resealed: 1, unreadable: 0, dropped: 0 })
    const [row] = await rows()
    expect(keyOf(row?.secret ?? '')).toBe(kit.box.currentKey())
  })
})
