import { randomBytes } from 'node:crypto'
import type { CheckCredential, OrdersReply } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { DIALECTS } from '../../testing/test-app.ts'
import { enrolTestProbe } from '../../testing/test-probe.ts'
import { createTestSealing } from '../../testing/test-seal.ts'
import { credentialKit, HTTP } from './testing-credential.ts'

const kit = credentialKit()
const { open, site, host, put, get, rows, scanner } = kit
afterEach(() => kit.test.close())

describe.each(DIALECTS)('what a probe is given on %s', dialect => {
  it('the credentials of the host, only where a scanner asks for them; a change of them gives a new revision', async () => {
    await open(dialect)
    const lyon = await site('LYO')
    const hostId = await host('srv', lyon)
    const asking = await scanner(hostId, 'host')
    await scanner(hostId, 'none')
    const probe = await enrolTestProbe(kit.test)
    const revisions = new Set<string>()
    const given = async (): Promise<CheckCredential | undefined> => {
      const { configuration } = await probe.orders()
      revisions.add(configuration?.revision ?? '')
      const holding = configuration?.checks.filter(check => check.credential !== undefined) ?? []
      expect(holding.map(check => check.scanner)).toEqual([asking])
      return holding[0]?.credential
    }
    expect(await given()).toEqual({ kind: 'none', reason: 'missing' })
    await put('Site', lyon, 'http', HTTP)
    expect(await given()).toEqual({ kind: 'http', ...HTTP })
    await put('Site', lyon, 'http', { username: 'supervision', password: 'autre' })
    expect(await given()).toEqual({ kind: 'http', username: 'supervision', password: 'autre' })
    await put('Host', hostId, 'http', { username: 'propre', password: 'à lui' })
    expect(await given()).toEqual({ kind: 'http', username: 'propre', password: 'à lui' })
    expect(revisions.size).toBe(4)
    await kit.admin.call('POST', '/api/Credential/Rotate')
    await given()
    expect(revisions.size).toBe(4)
    const scanners = await kit.admin.call('GET', '/api/Scanner/Get')
    expect(JSON.stringify(scanners.body)).not.toContain('à lui')
  })

  it('S59: sealed for the probe that needs them: the answer shows nothing, and none is given to one that says no key', async () => {
    await open(dialect)
    const hostId = await host('srv', await site('LYO'))
    await scanner(hostId, 'host')
    await put('Host', hostId, 'http', HTTP)
    const probe = await enrolTestProbe(kit.test)
    const path = '/api/Probe/Orders?after=0&revision=&wait=0'
    const credentialIn = (reply: OrdersReply): CheckCredential | undefined =>
      reply.configuration?.checks.find(check => check.credential !== undefined)?.credential
    expect(credentialIn((await probe.call('GET', path)).body)).toEqual({ kind: 'none', reason: 'unreadable' })
    const first = createTestSealing()
    const sealed = await probe.call('GET', `${path}&sealKey=${encodeURIComponent(first.key)}`)
    expect(credentialIn(sealed.body)?.kind).toBe('sealed')
    expect(JSON.stringify(sealed.body)).not.toContain(HTTP.password)
    expect(credentialIn(first.opened(sealed.body, probe.id))).toEqual({ kind: 'http', ...HTTP })
    expect(() => first.opened(sealed.body, probe.id + 1)).toThrow()
    // Another key: another revision, and what is given opens with it alone.
    const second = createTestSealing()
    const { revision } = sealed.body.configuration
    const query = `after=0&revision=${revision}&wait=0&sealKey=${encodeURIComponent(second.key)}`
    const again = await probe.call('GET', `/api/Probe/Orders?${query}`)
    expect(credentialIn(second.opened(again.body, probe.id))).toEqual({ kind: 'http', ...HTTP })
    expect(() => first.opened(again.body, probe.id)).toThrow()
  })

  it('S59: with the key missing or another, no secret and no empty one: the check is told why, all else works', async () => {
    await open(dialect)
    const hostId = await host('srv', await site('LYO'))
    await scanner(hostId, 'host')
    await put('Host', hostId, 'http', HTTP)
    const sealed = (await rows())[0]?.secret ?? ''
    for (const keys of [[randomBytes(32)], []]) {
      await kit.test.close()
      await open(dialect, { keys, save: null })
      const id = await host('srv', await site('LYO'))
      await scanner(id, 'host')
      await kit.test.database.db
        .insertInto('credential')
        .values({
          ...{ owner_kind: 'host', owner_id: id, kind: 'http', settings: '{"username":"supervision"}', secret: sealed },
          ...{ created_at: 1, updated_at: 1, updated_by: null },
        })
        .execute()
      const probe = await enrolTestProbe(kit.test)
      const { configuration } = await probe.orders()
      expect(configuration?.checks.map(check => check.credential)).toContainEqual({
        kind: 'none',
        reason: 'unreadable',
      })
      expect((await get('Host', id)).http.effective).toMatchObject({
        settings: { username: 'supervision' },
        unreadable: true,
      })
      expect((await kit.admin.call('GET', '/api/Host/Get')).status).toBe(200)
      const written = await put('Host', id, 'http', HTTP)
      expect(written.status).toBe(keys.length === 0 ? 503 : 200)
      if (keys.length > 0) expect(written.body.http.own.unreadable).toBe(false)
    }
  })
})
