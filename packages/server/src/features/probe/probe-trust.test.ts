import { randomBytes, sign } from 'node:crypto'
import { ALL_ROUTES, PROBE_HEADERS, rotationText, signedText } from '@narval/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock, type TestClock } from '../../testing/clock.ts'
import { type Answered, type Caller, createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { createTestKeys, enrolmentOf, enrolTestProbe, type TestKeys, type TestProbe } from '../../testing/test-probe.ts'
import { REFUSAL_EVERY_MS } from './probe-refusals.ts'

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

describe.each(DIALECTS)('who a probe is, on %s', dialect => {
  let clock: TestClock
  let test: TestApp
  let admin: Caller
  beforeEach(async () => {
    clock = createTestClock()
    test = await createTestApp({ dialect, now: clock.now })
    admin = await test.admin()
  })
  afterEach(() => test.close())

  const newCode = async (): Promise<string> => (await admin.call('POST', '/api/Probe/Code')).body.code
  const enrol = (body: object) => test.app.http.inject({ method: 'POST', url: '/api/Probe/Enroll', payload: body })
  const probeOf = async (name: string): Promise<TestProbe> => {
    const probe = await enrolTestProbe(test, clock.now, { code: await newCode(), name })
    expect((await admin.call('POST', `/api/Probe/Approve/${probe.id}`)).status).toBe(200)
    await probe.orders()
    return probe
  }
  const audited = async (action: string): Promise<Answered[]> => {
    const rows = await test.database.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .orderBy('id')
      .execute()
    return rows.map(({ actor, object, outcome, address, detail }) => ({
      ...{ actor, object, outcome, address },
      ...JSON.parse(detail),
    }))
  }
  /** The lines are written beside the answer. */
  const refusals = (reason: string, count = 1) =>
    expect.poll(async () => (await audited('probe-refused')).filter(line => line.reason === reason).length).toBe(count)

  describe('S55: an enrolment code', () => {
    it('works once, for 24 h, is kept as a hash alone, and gives a probe that waits to be approved', async () => {
      const code = await newCode()
      const rows = await test.database.db.selectFrom('probe_code').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(code.split('.')[0])
      const keys = createTestKeys()
      const first = await enrol(enrolmentOf(code, keys))
      expect([first.statusCode, first.json().state]).toEqual([200, 'pending'])
      const answers = [
        await enrol(enrolmentOf(code, createTestKeys())),
        await enrol(enrolmentOf(`${randomBytes(18).toString('base64url')}.${'0'.repeat(16)}`, createTestKeys())),
      ]
      const late = await newCode()
      clock.forward(24 * 3_600_000)
      answers.push(await enrol(enrolmentOf(late, createTestKeys())))
      expect(answers.map(answer => answer.statusCode)).toEqual([401, 401, 401])
      // Used, unknown or too old: nobody learns which.
      expect(new Set(answers.map(answer => answer.body)).size).toBe(1)
      expect(await audited('probe-enroll')).toMatchObject([{ actor: 'admin', object: `probe ${first.json().probe}` }])
    })

    it('used by twenty at once enrols one', async () => {
      const code = await newCode()
      const before = (await admin.call('GET', '/api/Probe/Get')).body.length
      const answers = await Promise.all(Array.from({ length: 20 }, () => enrol(enrolmentOf(code, createTestKeys()))))
      expect(answers.map(answer => answer.statusCode).filter(status => status === 200)).toHaveLength(1)
      expect((await admin.call('GET', '/api/Probe/Get')).body.length).toBe(before + 1)
    })

    it('says nothing of which names are taken', async () => {
      await probeOf('Sonde de Lyon')
      const [known, unknown] = ['Sonde de Lyon', 'Sonde de Brest'].map(name =>
        enrolmentOf('x'.repeat(24), createTestKeys(), name),
      )
      expect((await enrol(known ?? {})).body).toBe((await enrol(unknown ?? {})).body)
    })
  })

  describe('S56: a signed request', () => {
    const signed = (
      keys: Pick<TestProbe, 'sign'>,
      id: number,
      over: Partial<Record<'method' | 'path' | 'date' | 'nonce' | 'hash', string>> = {},
    ) => {
      const date = over.date ?? String(clock.now())
      const nonce = over.nonce ?? randomBytes(16).toString('base64url')
      const text = signedText(
        over.method ?? 'GET',
        over.path ?? '/api/Probe/Orders?wait=0',
        date,
        nonce,
        over.hash ?? EMPTY,
      )
      return {
        [PROBE_HEADERS.probe]: String(id),
        [PROBE_HEADERS.date]: date,
        [PROBE_HEADERS.nonce]: nonce,
        [PROBE_HEADERS.signature]: keys.sign(text),
      }
    }
    const send = async (headers: Record<string, string>, url = '/api/Probe/Orders?wait=0') =>
      (await test.app.http.inject({ method: 'GET', url, headers })).statusCode

    it('is taken once, and altered in nothing: replay, path, query, method, body, date and probe give 401 and a line of audit', async () => {
      const probe = await probeOf('A')
      const other = await probeOf('B')
      const good = signed(probe, probe.id)
      expect([await send(good), await send(good)]).toEqual([200, 401])
      await refusals('replay')
      expect(await send(signed(probe, probe.id, { path: '/api/Probe/Orders?wait=0&after=9' }))).toBe(401)
      expect(await send(signed(probe, probe.id), '/api/Probe/Orders?wait=0&sealKey=AAAA')).toBe(401)
      expect(await send(signed(probe, probe.id, { method: 'POST' }))).toBe(401)
      expect(await send(signed(probe, probe.id, { hash: 'f'.repeat(64) }))).toBe(401)
      // Another's key, in both ways.
      expect(await send(signed(probe, other.id))).toBe(401)
      await refusals('signature', 2)
      expect(await send(signed(probe, 999_999))).toBe(401)
      await refusals('unknown')
      expect(await send({ ...signed(probe, probe.id), [PROBE_HEADERS.nonce]: 'court' })).toBe(401)
      await refusals('malformed')
      const line = (await audited('probe-refused'))[0]
      expect(line).toMatchObject({ object: `probe ${probe.id}`, outcome: 'refused', path: '/api/Probe/Orders' })
      const body = { bootId: 'ab'.repeat(16), lane: 'live', sequence: 1, sentAt: clock.now(), results: [] }
      const posted = await test.app.http.inject({
        method: 'POST',
        url: '/api/Probe/Results',
        payload: { ...body, sequence: 2 },
        headers: signed(probe, probe.id, { method: 'POST', path: '/api/Probe/Results', hash: EMPTY }),
      })
      expect(posted.statusCode).toBe(401)
    })

    it('whose clock is 6 min ahead or behind is refused, 4 min is not', async () => {
      const probe = await probeOf('A')
      const at = (minutes: number) => send(signed(probe, probe.id, { date: String(clock.now() + minutes * 60_000) }))
      expect([await at(-6), await at(6), await at(-4), await at(4)]).toEqual([401, 401, 200, 200])
      await refusals('clock')
    })

    it('refused a thousand times fills two lines of the audit, the second with how many the first stood for', async () => {
      const probe = await probeOf('A')
      const bad = { [PROBE_HEADERS.signature]: 'AAAA' }
      for (let n = 0; n < 1_000; n += 1) expect(await send({ ...signed(probe, probe.id), ...bad })).toBe(401)
      await refusals('signature')
      clock.forward(REFUSAL_EVERY_MS)
      await send({ ...signed(probe, probe.id), ...bad })
      await refusals('signature', 2)
      expect((await audited('probe-refused')).map(line => line.before)).toEqual([0, 999])
    })

    it('of a revoked probe gives it nothing; its key neither enrols again nor is approved again', async () => {
      const keys = createTestKeys()
      const id = (await enrol(enrolmentOf(await newCode(), keys))).json().probe
      await admin.call('POST', `/api/Probe/Revoke/${id}`)
      expect((await enrol(enrolmentOf(await newCode(), keys))).statusCode).toBe(401)
      expect((await admin.call('POST', `/api/Probe/Approve/${id}`)).status).toBe(409)
      expect((await admin.call('DELETE', `/api/Probe/Delete/${id}`)).status).toBe(200)
      expect((await enrol(enrolmentOf(await newCode(), keys))).statusCode).toBe(409)
    })

    it('a key enrolled again with a new code is the same probe, and is not approved by it', async () => {
      const keys = createTestKeys()
      const first = (await enrol(enrolmentOf(await newCode(), keys))).json()
      const again = (await enrol(enrolmentOf(await newCode(), keys, 'Autre nom'))).json()
      expect(again).toMatchObject({ probe: first.probe, state: 'pending' })
      expect((await admin.call('GET', `/api/Probe/Get/${first.probe}`)).body.name).toBe('Sonde d’essai')
    })
  })

  describe('S56: the change of a key', () => {
    const bodyOf = (probe: TestProbe, next: TestKeys, { id = probe.id, old = probe.publicKey } = {}) => ({
      publicKey: next.publicKey,
      proof: sign(null, Buffer.from(rotationText(id, old, next.publicKey)), next.privateKey).toString('base64'),
    })
    /** Asks for a new key, and plays the probe: what it answers to the order. */
    const renew = async (probe: TestProbe, play: (order: string) => Promise<void>) => {
      const { after, configuration } = await probe.orders()
      const asked = admin.call('POST', `/api/Probe/RenewKey/${probe.id}`)
      const { orders } = await probe.orders(`after=${after}&revision=${configuration?.revision}`)
      const order = orders.find(one => one.kind === 'rotate')
      await play(order?.id ?? '')
      return asked
    }
    const rotated = (probe: TestProbe, order: string) =>
      probe.call('POST', '/api/Probe/Answer', { order, outcome: { kind: 'rotated' } })

    it('takes effect at once: the old key is refused and audited, the new one has its date, and who asked is written down', async () => {
      const probe = await probeOf('A')
      const before = (await admin.call('GET', `/api/Probe/Get/${probe.id}`)).body
      clock.forward(1_000)
      const next = createTestKeys()
      const done = await renew(probe, async order => {
        expect((await probe.call('POST', '/api/Probe/Rotate', bodyOf(probe, next))).status).toBe(204)
        // With the old key still.
        expect((await probe.call('GET', '/api/Probe/Orders?wait=0')).status).toBe(401)
        probe.useKeys(next)
        await rotated(probe, order)
      })
      expect(done.status).toBe(200)
      expect(done.body.fingerprint).not.toBe(before.fingerprint)
      expect(Date.parse(done.body.keyAt)).toBe(clock.now())
      await refusals('signature')
      expect(await audited('probe-rotate')).toMatchObject([
        {
          actor: 'admin',
          object: `probe ${probe.id}`,
          changes: { fingerprint: { before: before.fingerprint, after: done.body.fingerprint } },
        },
      ])
      expect((await probe.call('GET', '/api/Probe/Orders?wait=0')).status).toBe(200)
    })

    it('is the same when the answer was lost and it is asked again with either key', async () => {
      const probe = await probeOf('A')
      const next = createTestKeys()
      const body = bodyOf(probe, next)
      const done = await renew(probe, async order => {
        expect((await probe.call('POST', '/api/Probe/Rotate', body)).status).toBe(204)
        expect((await probe.call('POST', '/api/Probe/Rotate', body)).status).toBe(401)
        probe.useKeys(next)
        expect((await probe.call('POST', '/api/Probe/Rotate', body)).status).toBe(204)
        await rotated(probe, order)
      })
      expect([done.status, (await audited('probe-rotate')).length]).toEqual([200, 1])
    })

    it('is refused unasked, unproved, proved for another probe or another old key, and to a key that is or was another’s', async () => {
      const probe = await probeOf('A')
      const other = await probeOf('B')
      const next = createTestKeys()
      const rotate = async (body: object) => (await probe.call('POST', '/api/Probe/Rotate', body)).status
      expect(await rotate(bodyOf(probe, next))).toBe(409)
      await renew(probe, async order => {
        expect(await rotate({ ...bodyOf(probe, next), proof: 'AAAA' })).toBe(400)
        expect(await rotate({ ...bodyOf(probe, createTestKeys()), publicKey: next.publicKey })).toBe(400)
        expect(await rotate(bodyOf(probe, next, { id: other.id }))).toBe(400)
        expect(await rotate(bodyOf(probe, next, { old: other.publicKey }))).toBe(400)
        expect(
          await rotate({
            publicKey: other.publicKey,
            proof: other.sign(rotationText(probe.id, probe.publicKey, other.publicKey)),
          }),
        ).toBe(409)
        // The other probe may not answer in its place.
        await rotated(other, order)
        expect(await rotate(bodyOf(probe, next))).toBe(204)
        probe.useKeys(next)
        await rotated(probe, order)
      })
      const was = { publicKey: other.publicKey }
      expect((await enrol(enrolmentOf(await newCode(), { publicKey: probe.publicKey }))).statusCode).toBe(409)
      expect(was.publicKey).not.toBe(probe.publicKey)
      expect(await audited('probe-rotate')).toHaveLength(1)
    })
  })

  describe('S57: an approved probe', () => {
    let a: TestProbe
    let b: TestProbe
    let scanner = 0
    beforeEach(async () => {
      a = await probeOf('A')
      b = await probeOf('B')
      const site = await admin.make('/api/Site/Create', { name: 'Lyon', code: 'LYO', probeId: b.id })
      const host = await admin.make('/api/Host/Create', { name: 'srv-b', address: '192.0.2.7', siteId: site.id })
      scanner = (await admin.call('GET', `/api/Scanner/Get?host=${host.id}`)).body[0].id
    })

    it('changes nothing of what another runs, reads nothing of it, and answers none of its orders', async () => {
      expect((await a.orders()).configuration?.checks).toEqual([])
      expect((await b.orders()).configuration?.checks.map(check => check.scanner)).toEqual([scanner])
      const before = (await admin.call('GET', `/api/Scanner/Get/${scanner}`)).body
      expect(await a.post([{ scanner, values: { rtt_avg: 1, loss_ratio: 0 } }])).toBe(204)
      await test.app.monitoring.evaluation.idle()
      expect((await admin.call('GET', `/api/Scanner/Get/${scanner}`)).body).toEqual(before)
      expect(test.app.monitoring.ingest.stats.foreign).toBe(1)
      const forged = await a.call('GET', '/api/Probe/Orders?wait=0', undefined, { [PROBE_HEADERS.probe]: String(b.id) })
      expect(forged.status).toBe(401)
    })

    it('calls no route that is for people: each of them answers 401 to its signature', async () => {
      const open = new Set<string>()
      for (const route of ALL_ROUTES) {
        if (route.access === 'probe' || route.access === 'open') continue
        const path = route.path.replaceAll(/:\w+/g, '1')
        const answer = await test.app.http.inject({
          method: route.method,
          url: path,
          headers: {
            [PROBE_HEADERS.probe]: String(a.id),
            [PROBE_HEADERS.date]: String(clock.now()),
            [PROBE_HEADERS.nonce]: 'n'.repeat(20),
            [PROBE_HEADERS.signature]: a.sign(
              signedText(route.method, path, String(clock.now()), 'n'.repeat(20), EMPTY),
            ),
          },
        })
        if (answer.statusCode !== 401) open.add(`${answer.statusCode} ${route.method} ${path}`)
      }
      expect([...open]).toEqual([])
    })

    it('that brings a thousand times more series than its scanners have fills nothing', async () => {
      const values = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`inconnue_${n}`, n]))
      const before = (await admin.call('GET', '/api/Metric/Get')).body.length
      expect(await b.post([{ scanner, values: { ...values, rtt_avg: 2, loss_ratio: 0 } }])).toBe(204)
      await test.app.monitoring.evaluation.idle()
      const after = (await admin.call('GET', '/api/Metric/Get')).body.length
      expect(after - before).toBeLessThan(10)
    })

    it('revoked, is cut at once: its long poll ends, its results are refused, its hosts are unknown within 5 s and say why', async () => {
      // Longer than a server that has just started gives everybody.
      for (let pass = 0; pass < 40; pass += 1) {
        clock.forward(5_000)
        expect(await b.post([{ scanner, values: { rtt_avg: 1, loss_ratio: 0 } }])).toBe(204)
        await test.app.monitoring.evaluation.idle()
        await test.app.monitoring.pass()
      }
      const { after, configuration } = await b.orders()
      const waiting = b.orders(`after=${after}&revision=${configuration?.revision}`)
      const startedMs = performance.now()
      expect((await admin.call('POST', `/api/Probe/Revoke/${b.id}`)).status).toBe(200)
      expect(await waiting).toMatchObject({ state: 'revoked', configuration: null, orders: [] })
      expect(performance.now() - startedMs).toBeLessThan(5_000)
      expect(await b.post([{ scanner, values: { rtt_avg: 1, loss_ratio: 0 } }])).toBe(403)
      expect((await b.orders()).configuration).toBeNull()
      clock.forward(5_000)
      await test.app.monitoring.pass()
      const metrics = (await admin.call('GET', `/api/Scanner/Get/Metric?id=${scanner}`)).body
      expect(new Set(metrics.map((one: Answered) => `${one.severity} ${one.cause}`))).toEqual(
        new Set(['unknown probe-offline']),
      )
      expect(await audited('probe-revoke')).toMatchObject([
        { actor: 'admin', object: `probe ${b.id}`, changes: { approval: { before: 'approved', after: 'revoked' } } },
      ])
    })
  })
})
