import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, DIALECTS, type TestApp } from '../../testing/test-app.ts'
import { enrolTestProbe, type TestProbe } from '../../testing/test-probe.ts'
import { LOSSES_EVERY_MS } from './probe-losses.ts'

describe.each(DIALECTS)('R11: a spool that lost results, on %s', dialect => {
  let nowMs: number
  let test: TestApp
  let probe: TestProbe
  let sequence = 0

  beforeEach(async () => {
    nowMs = Date.parse('2026-11-20T08:00:00Z')
    sequence = 0
    test = await createTestApp({ dialect, now: () => nowMs })
    probe = await enrolTestProbe(test, () => nowMs)
  })
  afterEach(() => test.close())

  /** The probe says how many results it lost, since its spool was made. */
  const say = async (dropped: number) => {
    const health = {
      version: '1',
      backlog: 0,
      lagMs: 0,
      checksPerSecond: 1,
      late: 0,
      dropped,
      cpuRatio: 0,
      memoryBytes: 1,
    }
    const body = { bootId: 'ab'.repeat(8), lane: 'live', sequence: ++sequence, sentAt: nowMs, health, results: [] }
    expect((await probe.call('POST', '/api/Probe/Results', body)).status).toBe(204)
    nowMs += 5_000
    await test.app.monitoring.pass()
  }
  const restart = async () => {
    const { presence } = test.app.monitoring
    presence.probes.clear()
    await test.app.probes.loadPresence()
    presence.listen()
  }
  const told = async (): Promise<string[]> =>
    (await (await test.admin()).call('GET', '/api/Notification/Get?after=0')).body.notifications
      .filter(({ title }: { title: string }) => title.endsWith('file pleine'))
      .map(({ message }: { message: string }) => message)

  it('is told with its count, once while it goes on, and again an hour later with what was lost since', async () => {
    await say(0)
    expect(await told()).toEqual([])
    await say(1_200)
    expect((await told()).map(message => message.slice(0, 15))).toEqual([expect.stringMatching(/^1\s200 résultats/)])
    await say(1_900)
    await say(1_900)
    expect(await told()).toHaveLength(1)
    nowMs += LOSSES_EVERY_MS
    await say(2_000)
    expect(await told()).toEqual(expect.arrayContaining([expect.stringMatching(/^800 résultats/)]))
    expect((await (await test.admin()).call('GET', `/api/Probe/Get/${probe.id}`)).body.dropped).toBe(2_000)
  })

  it('a restart of the server tells it no second time, and losses made meanwhile all the same', async () => {
    await say(10)
    await restart()
    await say(10)
    expect(await told()).toHaveLength(1)
    await restart()
    await say(11)
    nowMs += LOSSES_EVERY_MS
    await say(11)
    expect(await told()).toEqual(expect.arrayContaining([expect.stringMatching(/^1 résultat, le plus ancien/)]))
  })

  it('a new spool counts from nothing again', async () => {
    await say(50)
    await say(0)
    expect(await told()).toHaveLength(1)
    nowMs += LOSSES_EVERY_MS
    await say(3)
    expect(await told()).toEqual(expect.arrayContaining([expect.stringMatching(/^3 résultats/)]))
  })
})
