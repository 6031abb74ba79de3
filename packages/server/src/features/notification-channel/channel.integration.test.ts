import { createHmac, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createSecretBox } from '../../secret-box.ts'
import { enqueueDeliveries } from '../../store/deliveries.ts'
import { openReceiver, type Receiver } from '../../testing/receiver.ts'
import { type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { ruleOf } from '../../testing/test-notifier.ts'

const CANARY = 'canari-7c41f0'
let test: TestApp
let admin: Caller
let receiver: Receiver

const open = async (dialect: (typeof DIALECTS)[number]): Promise<void> => {
  const keys = { keys: [randomBytes(32)], save: () => undefined }
  test = await createTestApp({ dialect, secrets: createSecretBox(keys) })
  admin = await test.admin()
  receiver = await openReceiver()
}
afterEach(async () => {
  await receiver.close()
  await test.close()
})
const webhook = (more: object = {}, settings: object = {}) => ({
  ...{ kind: 'webhook', name: 'Appel', settings: { url: receiver.url, ...settings } },
  ...more,
})
const create = (body: unknown) => admin.call('POST', '/api/NotificationChannel/Create', body)
const tryOut = async (body: unknown) => (await admin.call('POST', '/api/NotificationChannel/Test', body)).body

describe.each(DIALECTS)('channels of notification on %s', dialect => {
  it('never give a secret back, keep it when it is left out, and seal it in the database', async () => {
    await open(dialect)
    const made = await create(webhook({}, { authorization: `Bearer ${CANARY}`, signingKey: `${CANARY}-signature` }))
    expect([made.status, made.body.secrets]).toEqual([201, { authorization: true, signingKey: true }])
    const path = `/api/NotificationChannel/Update/${made.body.id}`
    const changed = await admin.call('PUT', path, { ...webhook({ name: 'Autre' }), updatedAt: made.body.updatedAt })
    expect([changed.status, changed.body.secrets]).toEqual([200, { authorization: true, signingKey: true }])
    const list = await admin.call('GET', '/api/NotificationChannel/Get')
    const audit = await test.database.db.selectFrom('audit').selectAll().orderBy('id').execute()
    const rows = await test.database.db.selectFrom('notification_channel').selectAll().execute()
    expect(JSON.stringify([made.body, changed.body, list.body, audit, rows])).not.toContain(CANARY)
    const sent = await admin.call('POST', `/api/NotificationChannel/Test/${made.body.id}`, {})
    expect(sent.body).toMatchObject({ ok: true, error: '', answer: '200 OK\nreçu' })
    expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${CANARY}`)
  })

  it('send a stored secret to no other place than that for which it was given', async () => {
    await open(dialect)
    const made = await create(webhook({}, { authorization: CANARY }))
    const elsewhere = await openReceiver()
    const moved = { ...webhook({}, { url: elsewhere.url }) }
    const path = `/api/NotificationChannel/Update/${made.body.id}`
    const update = await admin.call('PUT', path, { ...moved, updatedAt: made.body.updatedAt })
    const { name: _, ...draft } = moved
    const tried = await admin.call('POST', '/api/NotificationChannel/Test', { ...draft, id: made.body.id })
    await elsewhere.close()
    expect([update.status, tried.status, elsewhere.received]).toEqual([400, 400, []])
    expect(update.body.fields).toHaveProperty(['settings.authorization'])
  })

  it('are for who has the right of notifications alone, by a name that is free, and change no kind', async () => {
    await open(dialect)
    const other = await test.user(['incident_write'])
    expect((await other.call('GET', '/api/NotificationChannel/Get')).status).toBe(403)
    const made = await create(webhook())
    expect((await create(webhook({ name: 'APPEL' }))).status).toBe(409)
    const changed = await admin.call('PUT', `/api/NotificationChannel/Update/${made.body.id}`, {
      ...{ kind: 'slack', name: 'Appel', settings: { url: receiver.url }, updatedAt: made.body.updatedAt },
    })
    expect([changed.status, changed.body.errors[0]]).toEqual([409, expect.stringContaining('ne change pas')])
  })
})

describe.each(DIALECTS)('what depends on channels on %s', dialect => {
  it('keeps one that a rule uses, and names the rule', async () => {
    await open(dialect)
    const made = await create(webhook())
    const rule = { ...ruleOf(made.body.id, [(await admin.call('GET', '/api/Account/Get')).body.idUser]), name: 'Nuit' }
    const { id } = await admin.make('/api/NotificationRule/Create', rule)
    const path = `/api/NotificationChannel/Delete/${made.body.id}`
    const kept = await admin.call('DELETE', path)
    expect([kept.status, kept.body.errors[0]]).toEqual([
      409,
      expect.stringContaining('sert à la règle «\u202fNuit\u202f»'),
    ])
    await admin.call('DELETE', `/api/NotificationRule/Delete/${id}`)
    expect((await admin.call('DELETE', path)).body).toEqual({ deleted: true })
  })

  it('deleted while something waits to leave by it: dropped, and the incident says so', async () => {
    await open(dialect)
    const made = await create(webhook())
    const { db } = test.database
    const { id: incidentId } = await db
      .insertInto('incident')
      .values({
        ...{ event_key: 'essai', metric_id: null, host_id: null, site_id: null, severity_rank: 0, information: '' },
        ...{ opened_at: 1, closed_at: null, acknowledged_by: null, acknowledged_at: null, acknowledged_comment: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const message = {
      kind: 'problem',
      subject: 'srv en panne',
      severity: 'error',
      at: new Date(0).toISOString(),
    } as const
    await db.transaction().execute(trx =>
      enqueueDeliveries(
        trx,
        [
          {
            ...{ key: 'cle-1', incidentId, ruleId: null, ruleName: '', channelId: made.body.id, accountId: null },
            ...{ message: { ...message, link: '/', text: [], incidents: [] }, reason: '' },
            dueMs: Date.now() + 3_600_000,
          },
        ],
        Date.now(),
      ),
    )
    const gone = await admin.call('DELETE', `/api/NotificationChannel/Delete/${made.body.id}`)
    expect(gone.body).toEqual({ deleted: true })
    expect(await db.selectFrom('delivery').select('state').execute()).toEqual([{ state: 'dropped' }])
    expect(await db.selectFrom('incident_event').select(['kind', 'text', 'incident_id']).execute()).toEqual([
      {
        ...{ kind: 'notification-failed', incident_id: incidentId },
        text: `srv en panne\u202f: Le canal « ${made.body.name} » a été supprimé.`,
      },
    ])
  })

  it('has their secrets sealed again with a new key', async () => {
    await open(dialect)
    const made = await create(webhook({}, { authorization: `Bearer ${CANARY}` }))
    const sealed = async () =>
      (await test.database.db.selectFrom('notification_channel').select('secret').executeTakeFirstOrThrow()).secret
    const before = await sealed()
    expect((await admin.call('POST', '/api/Credential/Rotate')).body).toMatchObject({ resealed: 1, unreadable: 0 })
    expect(await sealed()).not.toBe(before)
    await admin.call('POST', `/api/NotificationChannel/Test/${made.body.id}`, {})
    expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${CANARY}`)
  })

  it('reaches people by the number of their account, which is one of the whole world or none', async () => {
    await open(dialect)
    const update = (phone: string) => admin.call('PUT', '/api/Account/Update', { phone })
    for (const wrong of ['0612345678', '+0612345678', '+33 6 12', 'x']) {
      const { status, body } = await update(wrong)
      expect([status, body.fields.phone]).toEqual([400, expect.any(String)])
    }
    expect((await update('+33612345678')).body.phone).toBe('+33612345678')
    expect((await update('')).body.phone).toBe('')
  })
})

describe('what a webhook is sent', () => {
  it('is the template filled without a way out of its strings, signed, with a key (S45)', async () => {
    await open('sqlite')
    const body = '{"a": "{{subject}}", "b": ["dit\u202f: {{text}}", 1, true], "c": "{{incidents}}", "d": "{{since}}"}'
    const name = 'Nom "}, {"x": "\\ {{constructor}}'
    const made = await create(webhook({ name }, { body, signingKey: 'clé de signature' }))
    await admin.call('POST', `/api/NotificationChannel/Test/${made.body.id}`, {})
    const [got] = receiver.received
    expect(JSON.parse(got?.body ?? '')).toEqual({
      a: `[Narval] Essai du canal « ${name} »`,
      b: [expect.stringContaining('rien n’est en panne'), 1, true],
      ...{ c: [], d: null },
    })
    const signed = createHmac('sha256', 'clé de signature').update(`${got?.headers['x-narval-time']}.${got?.body}`)
    expect(got?.headers['x-narval-signature']).toBe(`sha256=${signed.digest('hex')}`)
    expect(got?.headers['idempotency-key']).toBe(got?.headers['x-narval-key'])
  })

  it('is refused in words when the template is no JSON, names what is not known, or a header would break the call', async () => {
    await open('sqlite')
    const of = async (settings: object): Promise<string> => (await create(webhook({}, settings))).body.errors.join(' ')
    expect(await of({ body: '{"a": {{subject}}}' })).toContain('entre guillemets')
    expect(await of({ body: '{"a": "{{constructor}}"}' })).toContain('Repère inconnu\u202f: constructor')
    expect(await of({ headers: [{ name: 'X-A', value: 'a\r\nX-B: b' }] })).not.toBe('')
    expect(await of({ headers: [{ name: 'Content-Length', value: '3' }] })).toContain('écrit par Narval')
    expect(await of({ url: 'file:///etc/passwd' })).toContain('http://')
    expect(await of({ url: 'http://marie:secret@127.0.0.1/' })).toContain('ni nom ni mot de passe')
  })
})

describe('a receiver that is wrong', () => {
  it.each([
    ['http://169.254.169.254/latest', 'pas permise'],
    ['http://[fe80::1]/', 'pas permise'],
    ['http://0.0.0.0:1/', 'pas permise'],
    ['http://127.0.0.1:1/', 'refusée'],
    ['http://nom-inexistant.invalid/', 'DNS'],
  ])('%s is said in French: %s', async (url, words) => {
    await open('sqlite')
    const { name: _, ...draft } = webhook({}, { url })
    expect(await tryOut(draft)).toMatchObject({ ok: false, error: expect.stringContaining(words) })
  })

  it('redirects, fails, compresses a bomb or never ends: bounded, told, never followed (S48, S50)', async () => {
    await open('sqlite')
    const { name: _, ...draft } = webhook({}, { authorization: CANARY })
    const elsewhere = await openReceiver()
    receiver.answerWith(response => response.writeHead(302, { location: `${elsewhere.url}?cle=${CANARY}` }).end())
    const redirected = await tryOut(draft)
    await elsewhere.close()
    expect([redirected.ok, redirected.error.includes('pas suivi'), elsewhere.received]).toEqual([false, true, []])
    receiver.answerWith((response, { headers }) => response.writeHead(500).end(`en panne ${headers.authorization}`))
    const failed = await tryOut(draft)
    expect(failed).toMatchObject({ ok: false, error: expect.stringContaining('a une panne (500)') })
    expect(failed.answer).toBe('500 Internal Server Error\nen panne •••')
    receiver.answerWith(response =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    )
    expect((await tryOut(draft)).answer).toMatch(/^200 OK\n\(réponse compressée « gzip », \d{1,5} octets lus\)$/)
    receiver.answerWith(response => {
      const more = (): void => {
        response.write('x'.repeat(8_192))
        if (!response.destroyed) setTimeout(more, 1)
      }
      more()
    })
    const endless = await tryOut(draft)
    expect([endless.ok, endless.answer.length]).toEqual([true, '200 OK\n'.length + 500])
    expect(JSON.stringify([redirected, failed, endless])).not.toContain(CANARY)
  })
})
