import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { customFieldKit } from './testing-custom-field.ts'

describe.each(DIALECTS)('types of custom fields on %s', dialect => {
  const kit = customFieldKit()
  const { host, define, tryDefine, read, set } = kit
  beforeAll(() => kit.open(dialect))
  afterAll(() => kit.test.close())

  const TYPES: readonly [string, object, readonly [unknown, unknown, string][], readonly unknown[]][] = [
    [
      'text',
      {},
      [
        ['  Baie 12 ', 'Baie 12', 'Baie 12'],
        ["'; drop table host; --", "'; drop table host; --", "'; drop table host; --"],
      ],
      ['a\nb', 'x'.repeat(501), true, ['a']],
    ],
    ['long-text', {}, [['un\ndeux', 'un\ndeux', 'un\ndeux']], ['x'.repeat(8001), '\u0000', 1]],
    [
      'integer',
      { min: 1, max: 4_094 },
      [
        [12, 12, '12'],
        ['4 094', 4_094, '4094'],
      ],
      [1.5, 0, 4_095, 'douze', '1e400', true, [1]],
    ],
    [
      'decimal',
      { min: -1 },
      [
        [0.5, 0.5, '0,5'],
        ['12,25', 12.25, '12,25'],
        [-1, -1, '-1'],
      ],
      [-1.01, 'NaN', 'Infinity', '1,2,3', '0x10'],
    ],
    [
      'boolean',
      {},
      [
        [true, true, 'Oui'],
        [false, false, 'Non'],
        ['Oui', true, 'Oui'],
      ],
      ['peut-être', 2, ['true']],
    ],
    [
      'date',
      {},
      [
        ['2026-02-28', '2026-02-28', '28/02/2026'],
        ['31/12/2026', '2026-12-31', '31/12/2026'],
      ],
      ['2026-02-29', '2026-2-1', '31/11/2026', 20_260_101, '2026-01-01T00:00:00Z'],
    ],
    ['choice', { choices: ['Or', 'Argent'] }, [['Or', 'Or', 'Or']], ['or', 'Bronze', ['Or']]],
    [
      'multiple-choice',
      { choices: ['nord', 'sud', 'est'] },
      [
        [['sud', 'nord'], ['nord', 'sud'], 'nord, sud'],
        ['est, nord', ['nord', 'est'], 'nord, est'],
      ],
      [['ouest'], 'nord;sud', 1],
    ],
    [
      'url',
      {},
      [['https://exemple.fr/a?b=c', 'https://exemple.fr/a?b=c', 'https://exemple.fr/a?b=c']],
      ['javascript:alert(1)', 'exemple.fr', 'ftp://x.fr', 'data:text/html,x', 'https://u:p@x.fr'],
    ],
    [
      'email',
      {},
      [['noc@exemple.fr', 'noc@exemple.fr', 'noc@exemple.fr']],
      ['noc', 'noc@', 'a b@c.fr', 'a@b', 'a@b.fr\nBcc: c@d.fr'],
    ],
    [
      'phone',
      {},
      [['+33 4 72 00 00 00', '+33 4 72 00 00 00', '+33 4 72 00 00 00']],
      ['+', 'appelez-moi', '12', '1'.repeat(41)],
    ],
    [
      'ip',
      {},
      [
        ['192.0.2.7', '192.0.2.7', '192.0.2.7'],
        ['2001:DB8:0:0::1', '2001:db8::1', '2001:db8::1'],
      ],
      ['192.0.2.256', '192.0.2', 'fe80::1%eth0', '::g', '192.0.2.0/24'],
    ],
    [
      'mac',
      {},
      [
        ['00-1A-2b-3C-4d-5E', '00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:5e'],
        ['001a.2b3c.4d5e', '00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:5e'],
      ],
      ['00:1a:2b:3c:4d', '00:1a-2b:3c:4d:5e', 'zz:1a:2b:3c:4d:5e'],
    ],
    ['secret', {}, [['mot de passe', true, 'Défini']], [12n.toString().repeat(300), false]],
  ]

  it.each(TYPES)('a value of type %s is checked, kept in its form and read back', async (type, over, good, bad) => {
    const { id } = await host()
    const { key } = await define({ type, ...over })
    for (const [given, value, text] of good) {
      const answer = await set(id, key, given)
      expect([given, answer.status, answer.body.errors]).toEqual([given, 200, undefined])
      expect(await read(id, key)).toMatchObject({ value, text, origin: 'own', level: 'write', updatedBy: 'admin' })
    }
    const before = await read(id, key)
    for (const given of bad) {
      const answer = await set(id, key, given)
      expect([given, answer.status]).toEqual([given, 400])
      expect([given, typeof answer.body.fields?.[`values.${key}`]]).toEqual([given, 'string'])
    }
    expect(await read(id, key)).toEqual(before)
    expect((await set(id, key, null)).status).toBe(200)
    expect(await read(id, key)).toMatchObject({ value: null, text: '', origin: 'none' })
  })

  it.each(['host', 'site', 'user'])('a value of type %s names what exists, by its id or its only name', async type => {
    const { id } = await host()
    const other = await host({ name: `Cœur ${type}` })
    const { key } = await define({ type })
    const wanted =
      type === 'host' ? other : type === 'site' ? { id: kit.siteId, name: 'Lyon' } : { id: 1, name: 'admin' }
    for (const given of [wanted.id, String(wanted.id), wanted.name.toUpperCase()]) {
      expect([given, (await set(id, key, given)).status]).toEqual([given, 200])
      expect(await read(id, key)).toMatchObject({ value: wanted.id, text: wanted.name, originName: wanted.name })
    }
    for (const given of [999_999, -1, 1.5, 'personne', true, '1 or 1=1']) {
      expect([given, (await set(id, key, given)).status]).toEqual([given, 400])
    }
    if (type !== 'host') return
    expect((await kit.admin.call('DELETE', `/api/Host/Delete/${other.id}`)).status).toBe(200)
    expect((await set(id, key, other.id)).status).toBe(400)
    expect(await read(id, key)).toMatchObject({ value: other.id, text: `n° ${other.id} (supprimé)` })
  })

  it('a secret is kept encrypted and bound to its place, reads as true, and is told of without its text', async () => {
    const { id } = await host()
    const field = await define({ type: 'secret' })
    await set(id, field.key, 'hunter2-très-secret')
    expect(await set(id, field.key, true)).toMatchObject({ status: 200 })
    const row = await kit.test.database.db
      .selectFrom('field_value')
      .selectAll()
      .where('definition_id', '=', field.id)
      .executeTakeFirstOrThrow()
    expect(row.value).toMatch(/^v1\.[0-9a-f]{8}\./)
    expect([row.value_folded, row.value_number]).toEqual(['', null])
    await set(id, field.key, 'un autre')
    const history = await kit.admin.call('GET', `/api/CustomField/Host/${id}/History`)
    expect(history.body).toMatchObject([
      { before: 'Défini', after: 'Modifié' },
      { before: null, after: 'Modifié' },
    ])
    const audits = await kit.test.database.db
      .selectFrom('audit')
      .select('detail')
      .where('object', '=', `host ${id}`)
      .orderBy('id')
      .execute()
    expect(JSON.stringify([audits, history.body, await read(id, field.key)])).not.toMatch(/hunter2|un autre/)
  })

  it('S41: a pattern that would stall a backtracking engine answers at once; what RE2 does not know is refused', async () => {
    const { id } = await host()
    const { key } = await define({ regex: '^(a+)+$' })
    const started = performance.now()
    expect((await set(id, key, `${'a'.repeat(499)}!`)).status).toBe(400)
    expect(performance.now() - started).toBeLessThan(100)
    expect((await set(id, key, 'a'.repeat(500))).status).toBe(200)
    for (const regex of ['(?=a)b', '(a)\\1', '(', 'a{1,1000}', '((a?b?c?){30}){30}']) {
      const answer = await tryDefine({ regex })
      expect([regex, answer.status, typeof answer.body.fields?.regex]).toEqual([regex, 400, 'string'])
    }
  })

  it('the whole text must match the pattern, not a line or a part of it', async () => {
    const { id } = await host()
    const { key } = await define({ regex: '[A-Z]{3}-\\d{2}' })
    expect((await set(id, key, 'LYO-01')).status).toBe(200)
    for (const given of ['xLYO-01', 'LYO-011', 'lyo-01'])
      expect([given, (await set(id, key, given)).status]).toEqual([given, 400])
    const long = await define({ type: 'long-text', regex: '[a-z]+' })
    expect((await set(id, long.key, 'abc\n; rm')).status).toBe(400)
  })
})
