import { type AnswerBody, answerBody, type DiscoveredAddress, PART_MAX_BYTES } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { createReporter, type Sent } from './reporter.ts'
import { createFastClock } from './testing-clock.ts'

const address = (n: number, more: Partial<DiscoveredAddress> = {}): DiscoveredAddress => ({
  ...{
    address: `10.0.${n >> 8}.${n & 255}`,
    rttMs: 1,
    dnsName: '',
    mac: null,
    openPorts: [],
    snmp: null,
    neighbours: [],
    hops: null,
  },
  ...more,
})

const report = (answers: (body: AnswerBody, call: number) => Sent) => {
  const time = createFastClock()
  const sent: AnswerBody[] = []
  let lost = 0
  const reporter = createReporter({
    ...{ order: 'o-1', gateway: '10.0.0.1', clock: time.clock, random: () => 0.5 },
    send: async body => {
      sent.push(body)
      return answers(body, sent.length)
    },
    onLost: () => {
      lost += 1
    },
  })
  const parts = () => sent.map(({ outcome }) => (outcome.kind === 'discovered' ? outcome : null))
  return { time, reporter, sent, parts, lost: () => lost }
}

describe('the parts of a discovery', () => {
  it('are numbered from 1, each of 50 addresses at most, in the wire’s shape, the last one said to be so', async () => {
    const it = report(() => 'taken')
    for (let n = 0; n < 120; n += 1) {
      await it.reporter.found(address(n))
      it.reporter.progressed()
    }
    await it.time.until(it.reporter.end(null, ['une note']))
    expect(it.parts().map(one => [one?.part, one?.found.length, one?.last])).toEqual([
      [1, 50, false],
      [2, 50, false],
      [3, 20, true],
    ])
    expect(it.parts().at(-1)).toMatchObject({ done: 120, notes: ['une note'], failure: null, gateway: '10.0.0.1' })
    for (const body of it.sent) expect(answerBody.safeParse(body).success).toBe(true)
  })

  it('are sent again, the same, until they are taken, and nothing is lost', async () => {
    const it = report((_, call) => (call % 3 === 0 ? 'taken' : 'later'))
    for (let n = 0; n < 75; n += 1) await it.reporter.found(address(n))
    await it.time.until(it.reporter.end(null, []))
    const numbers = it.parts().map(one => one?.part)
    expect(numbers).toEqual([1, 1, 1, 2, 2, 2])
    expect(it.sent[0]).toEqual(it.sent[2])
    expect(it.lost()).toBe(0)
  })

  it('end the discovery when the server does not want them, or is away for a minute', async () => {
    for (const answer of ['gone', 'later'] as const) {
      const it = report(() => answer)
      await it.reporter.found(address(1))
      await it.time.until(it.reporter.end(null, []))
      expect(it.lost()).toBe(1)
      // Nothing waits for ever afterwards.
      await it.reporter.found(address(2))
    }
  })

  it('tell every 2 s how far it is, found or not', async () => {
    const it = report(() => 'taken')
    const wait = new Promise<void>(resolve => it.time.clock.after(9_000, resolve))
    await it.time.until(wait)
    expect(it.sent.length).toBe(4)
    await it.time.until(it.reporter.end({ state: 'cancelled', message: 'arrêtée' }, []))
    expect(it.parts().at(-1)?.failure).toEqual({ state: 'cancelled', message: 'arrêtée' })
  })

  it('hold the discovery back when 500 addresses wait, and stay below their size in bytes', async () => {
    const big = 'x'.repeat(60)
    const neighbours = Array.from({ length: 64 }, () => ({
      localPort: big,
      chassis: big,
      port: big,
      name: big,
      addresses: [],
    }))
    let open: (sent: Sent) => void = () => undefined
    const first = new Promise<Sent>(resolve => {
      open = resolve
    })
    const time = createFastClock()
    const sizes: number[] = []
    const reporter = createReporter({
      ...{ order: 'o', gateway: null, clock: time.clock, random: () => 0.5, onLost: () => undefined },
      send: body => {
        sizes.push(JSON.stringify(body).length)
        return sizes.length === 1 ? first : Promise.resolve('taken' as const)
      },
    })
    let held = 0
    for (let n = 0; n < 560; n += 1) void reporter.found(address(n, { neighbours })).then(() => (held += 1))
    await time.until(new Promise<void>(resolve => time.clock.after(5_000, resolve)))
    expect(held).toBeLessThan(520)
    open('taken')
    await time.until(reporter.end(null, []))
    expect(held).toBe(560)
    expect(Math.max(...sizes)).toBeLessThan(PART_MAX_BYTES + 60_000)
  })
})
