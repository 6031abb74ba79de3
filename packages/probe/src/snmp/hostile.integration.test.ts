import { createSocket } from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Agent,
  createMib,
  encoded,
  readRequest,
  setPorts,
  startAgent,
  startMibAgent,
} from '../testing/snmp-agent.ts'
import { type SnmpCredential, snmpCredential } from '../testing/snmpd.ts'
import { berElement, berInteger, berOctets, berOid, berReader, TAG } from './ber.ts'
import { openSnmp, SnmpError, type SnmpSession } from './client.ts'
import { PDU } from './pdu.ts'

const NAME = '1.3.6.1.2.1.1.5.0'
const agents: Agent[] = []
afterEach(() => {
  for (const agent of agents.splice(0)) agent.close()
})
const listen = async (...given: Parameters<typeof startAgent>): Promise<number> => {
  const agent = await startAgent(...given)
  agents.push(agent)
  return agent.port
}

interface Asked {
  readonly result: unknown
  readonly tookMs: number
}
/** What a session ends with: its result, or its failure in words. */
const ask = async (
  port: number,
  what: (session: SnmpSession) => Promise<unknown>,
  more: Partial<SnmpCredential> = {},
  limits: { timeoutMs?: number; maxBytes?: number } = {},
): Promise<Asked> => {
  const startedMs = performance.now()
  const all = { timeoutMs: 1_000, nowMs: () => performance.now(), ...limits }
  const session = openSnmp({ address: '127.0.0.1' }, snmpCredential(port, more), all)
  const result = await what(session).catch(error => (error instanceof SnmpError ? error.failure : error))
  session.close()
  return { result, tookMs: performance.now() - startedMs }
}
const failed = (code: string, words: string) => ({ code, message: expect.stringContaining(words) })
const response = (request: Buffer, varbinds: readonly Buffer[], requestId?: number): Buffer => {
  const asked = readRequest(request)
  const pdu = berElement(
    PDU.response,
    berInteger(requestId ?? asked?.id ?? 0),
    berInteger(0),
    berInteger(0),
    berElement(TAG.sequence, ...varbinds),
  )
  return berElement(TAG.sequence, berInteger(asked?.version ?? 1), berOctets('public'), pdu)
}
const varbind = (oid: string, value: Buffer): Buffer => berElement(TAG.sequence, berOid(oid), value)
const name = (session: SnmpSession) => session.get([NAME])

describe('S50: a hostile agent is contained in time and memory, and said', () => {
  it('garbage, and answers that are cut short', async () => {
    const garbage = await listen((_, reply) => reply(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect(await ask(garbage, name)).toMatchObject({ result: failed('protocol', 'paquets incompréhensibles') })
    const cut = await listen((request, reply) =>
      reply(response(request, [varbind(NAME, encoded.text('x'))]).subarray(0, 30)),
    )
    const { result, tookMs } = await ask(cut, name)
    expect(result).toEqual(failed('protocol', 'paquets incompréhensibles'))
    expect(tookMs).toBeLessThan(1_500)
  })

  it('garbage before the answer does not keep it from being heard', async () => {
    const port = await listen((request, reply) => {
      reply(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))
      reply(response(request, [varbind(NAME, encoded.text('faux'))], 4))
      reply(response(request, [varbind(NAME, encoded.text('vrai'))]))
    })
    const { result } = await ask(port, name)
    expect(result).toMatchObject([{ oid: NAME, value: Buffer.from('vrai') }])
  })

  it('answers to other questions, of another community or version', async () => {
    const wrongId = await listen((request, reply) => reply(response(request, [varbind(NAME, encoded.text('x'))], 1)))
    expect(await ask(wrongId, name)).toMatchObject({ result: failed('protocol', 'd’autres questions') })
    const otherOid = await listen((request, reply) =>
      reply(response(request, [varbind('1.3.6.1.9', encoded.text('x'))])),
    )
    expect(await ask(otherOid, name)).toMatchObject({ result: failed('protocol', 'd’autres OID') })
  })

  it('an answer from another address or port is not heard', async () => {
    const other = createSocket('udp4')
    await new Promise<void>(resolve => other.bind(0, '127.0.0.2', resolve))
    const port = await listen((request, _, from) => {
      other.send(response(request, [varbind(NAME, encoded.text('usurpé'))]), from.port, from.address)
    })
    expect(await ask(port, name)).toMatchObject({ result: failed('timeout', 'aucune réponse SNMP') })
    other.close()
  })

  it('a walk whose OIDs do not increase ends at once', async () => {
    const same = await listen((request, reply) =>
      reply(response(request, [varbind('1.3.6.1.2.1.1.5.0', encoded.integer(1))])),
    )
    const { result, tookMs } = await ask(same, session => session.walk('1.3.6.1.2.1.1'))
    expect(result).toEqual(failed('protocol', 'n’avancent pas'))
    expect(tookMs).toBeLessThan(500)
  })

  it('an endless table ends at its bound of rows, in every version', async () => {
    for (const version of ['v1', 'v2c'] as const) {
      let row = 0
      const port = await listen((request, reply) => {
        row += 1
        reply(response(request, [varbind(`1.3.6.1.2.1.1.${row}`, encoded.integer(row))]))
      })
      const bounds = { maxRows: 200 }
      const { result } = await ask(
        port,
        session => session.walk('1.3.6.1.2.1.1', bounds),
        { version },
        { timeoutMs: 5_000 },
      )
      expect(result).toEqual(failed('protocol', 'plus de 200 lignes'))
      expect(row).toBeLessThan(210)
    }
  })

  it('packets of 64 KiB, and a flood of them, end at the bound of bytes', async () => {
    const big = encoded.text(Buffer.alloc(60_000, 0x41))
    let row = 0
    const port = await listen((request, reply) => {
      row += 1
      reply(response(request, [varbind(`1.3.6.1.2.1.1.${row}`, big)]))
    })
    const walk = (session: SnmpSession) => session.walk('1.3.6.1.2.1.1')
    expect(await ask(port, walk, {}, { timeoutMs: 5_000 })).toMatchObject({
      result: failed('protocol', 'plus de 4 Mio'),
    })
    const before = process.memoryUsage().rss
    const flooding = await listen((request, reply) => {
      // One buffer for all: the memory measured is to be the client's, not the agent's.
      const one = response(request, [varbind(NAME, big)], 1)
      for (let n = 0; n < 200; n += 1) reply(one)
    })
    const flooded = await ask(flooding, name, {}, { timeoutMs: 3_000, maxBytes: 1_048_576 })
    // The system itself drops most of a flood; what is left is nobody's answer.
    expect([failed('protocol', 'plus de 1 Mio'), failed('protocol', 'd’autres questions')]).toContainEqual(
      flooded.result,
    )
    expect(flooded.tookMs).toBeLessThan(4_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1_048_576)
  })

  it('one answer a second: the whole ends at the time limit, with the OID where it stood', async () => {
    let row = 0
    const port = await listen((request, reply) => {
      row += 1
      const answer = response(request, [varbind(`1.3.6.1.2.1.1.${row}`, encoded.integer(row))])
      setTimeout(() => reply(answer), 1_000)
    })
    const { result, tookMs } = await ask(port, session => session.walk('1.3.6.1.2.1.1'), {}, { timeoutMs: 2_500 })
    expect(result).toEqual(failed('timeout', 'ne répond plus au cours de la lecture'))
    expect(tookMs).toBeLessThan(3_000)
  })

  it('errors that are no error of SNMP, and answers without any varbind', async () => {
    const empty = await listen((request, reply) => reply(response(request, [])))
    expect(await ask(empty, session => session.walk('1.3.6.1'))).toMatchObject({
      result: failed('protocol', 'réponse SNMP vide'),
    })
    expect(await ask(empty, name)).toMatchObject({ result: failed('protocol', 'd’autres OID') })
  })

  it('v3: an answer without the digest asked for is not believed, whatever its message number', async () => {
    const port = await listen((request, reply) => reply(unsignedAnswer(request)))
    const user = { version: 'v3', user: 'u', authProtocol: 'SHA256', authPassword: 'auth-password' } as const
    expect(await ask(port, name, user)).toMatchObject({
      result: failed('protocol', 'sans l’authentification ou le chiffrement demandés'),
    })
    // Flags that promise a digest to a user without any: the fault that stops processes built on other libraries.
    const signed = await listen((request, reply) => reply(unsignedAnswer(request, 1)))
    expect((await ask(signed, name, { version: 'v3', user: 'u' })).result).toHaveProperty('0.value')
  })
})

/** What a v3 request in clear asks. */
const readV3 = (request: Buffer) => {
  const message = berReader(request).enter(TAG.sequence)
  message.integer()
  const number = message.enter(TAG.sequence).integer()
  message.octets()
  const scoped = message.enter(TAG.sequence)
  scoped.octets()
  scoped.octets()
  const pdu = scoped.enter(PDU.get)
  const requestId = pdu.integer()
  pdu.integer()
  pdu.integer()
  return { number, requestId, isDiscovery: pdu.enter(TAG.sequence).atEnd() }
}

/** An answer of v3 with these flags that nobody signed: the engine's name first, then a value. */
const unsignedAnswer = (request: Buffer, flags = 0): Buffer => {
  const { number, requestId, isDiscovery } = readV3(request)
  const engine = berOctets(Buffer.from('8000000001020304', 'hex'))
  const flagBytes = berOctets(Buffer.from([flags]))
  const header = berElement(TAG.sequence, berInteger(number), berInteger(65_507), flagBytes, berInteger(3))
  const [one, time, user, none] = [berInteger(1), berInteger(100), berOctets('u'), berOctets('')]
  const parameters = berElement(TAG.sequence, engine, one, time, user, none, none)
  const zero = berInteger(0)
  const value = isDiscovery
    ? varbind('1.3.6.1.6.3.15.1.1.4.0', encoded.counter32(1))
    : varbind(NAME, encoded.text('faux'))
  const tag = isDiscovery ? PDU.report : PDU.response
  const pdu = berElement(tag, berInteger(requestId), zero, zero, berElement(TAG.sequence, value))
  const scoped = berElement(TAG.sequence, engine, none, pdu)
  return berElement(TAG.sequence, berInteger(3), header, berOctets(parameters), scoped)
}

describe('many agents at once', () => {
  it('49 silent ones delay nothing for the 50th', async () => {
    const mib = createMib()
    setPorts(mib, 48, 1_000)
    const honest = await startMibAgent(mib, '127.1.0.50')
    agents.push(honest)
    for (let n = 1; n < 50; n += 1) agents.push(await startAgent(() => undefined, `127.1.0.${n}`, honest.port))
    const startedMs = performance.now()
    const readAll = async (address: string): Promise<{ tookMs: number; rows: number }> => {
      const limits = { timeoutMs: 2_000, nowMs: () => performance.now() }
      const session = openSnmp({ address }, snmpCredential(honest.port), limits)
      const rows = await session.table({ in: '1.3.6.1.2.1.31.1.1.1.6' }).catch(() => [])
      session.close()
      return { tookMs: performance.now() - startedMs, rows: rows.length }
    }
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => readAll(`127.1.0.${n + 1}`)))
    expect(all[49]).toMatchObject({ rows: 48 })
    expect(all[49]?.tookMs).toBeLessThan(1_000)
    for (const silent of all.slice(0, 49)) {
      expect(silent.rows).toBe(0)
      expect(silent.tookMs).toBeLessThan(3_000)
    }
  })
})
