import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHostScene, type HostScene } from '../testing/host-scene.ts'
import { DIALECTS } from '../testing/test-app.ts'
import { createPublisher, type PublisherDeps } from './publisher.ts'

/** What happens at most between two turns of the event loop, whatever hangs behind a router. */
const MOST = { cut: 120, statements: 6 }
/** Of hosts whose streams are told. */
const MOST_TOLD = 50
const HOSTS = 60

describe.each(DIALECTS)('a fall of many hosts lets others in, on %s', dialect => {
  let scene: HostScene
  const largest = { cut: 0, statements: 0 }
  const before = { cut: 0, statements: 0 }
  const now = () => ({
    cut: [...scene.test.app.monitoring.model.metrics.values()].filter(({ state }) => state.cause === 'host-unreachable')
      .length,
    statements: scene.test.database.writes(),
  })
  /** As in production when each piece lasts too long: what there was between two is counted, not timed. */
  const turn = async () => {
    const present = now()
    for (const what of ['cut', 'statements'] as const)
      largest[what] = Math.max(largest[what], Math.abs(present[what] - before[what]))
    await setImmediate()
    Object.assign(before, now())
  }
  const measured = async (work: () => Promise<void>) => {
    Object.assign(before, now())
    Object.assign(largest, { cut: 0, statements: 0 })
    await work()
    await turn()
    return { ...largest }
  }

  const servers = Array.from({ length: HOSTS }, (_, index) => `srv-${index + 1}`)
  const names = ['routeur', 'switch', ...servers]
  beforeEach(async () => {
    let isMade = false
    scene = await createHostScene(dialect, { turns: () => async () => (isMade ? turn() : undefined) })
    await scene.add('routeur')
    await scene.add('switch', 'routeur')
    for (const name of servers) await scene.add(name, 'switch')
    await scene.answer(...names)
    isMade = true
  })
  afterEach(() => scene.test.close())

  it('cuts them off, writes and tells of them in pieces, as one incident and one alert; and takes them back so', async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) await scene.fail(...servers, 'switch', 'routeur')
    await scene.fail(...servers, 'switch')
    const fall = await measured(() => scene.failNow('routeur'))
    expect(scene.statesOf(servers)).toEqual(['unreachable'])
    expect(await scene.incidents({ roots: false })).toMatchObject([{ hostName: 'routeur', unreachable: HOSTS + 1 }])
    expect(await scene.told()).toEqual(['routeur\u202f: Ping en erreur'])
    expect(now().cut).toBeGreaterThan(3 * MOST.cut)
    expect([fall.cut <= MOST.cut, fall.statements <= MOST.statements, fall]).toEqual([true, true, fall])

    const back = await measured(() => scene.answer('routeur', 'switch', ...servers))
    expect(scene.statesOf(names)).toEqual(['available'])
    expect(await scene.told()).toEqual(['routeur\u202f: Ping en erreur', 'routeur\u202f: Ping de nouveau OK'])
    expect([back.cut <= MOST.cut, back.statements <= MOST.statements, back]).toEqual([true, true, back])
  })

  it('tells of them in pieces, and makes nothing that nobody would hear', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { model } = scene.test.app.monitoring
    const tell = async (isFollowed?: PublisherDeps['isFollowed']) => {
      const told: string[] = []
      let [since, most] = [0, 0]
      const publisher = createPublisher({
        ...{ model, probesOffline: () => 0, now: scene.now, isFollowed },
        publish: (hub, stream) => {
          told.push(`${hub} ${stream}`)
          most = Math.max(most, told.length - since)
        },
        turns: () => async () => {
          since = told.length
        },
      })
      const changed = { metrics: [...model.metrics.values()], hosts: [...model.hosts.values()], sites: [] }
      publisher.committed({ ...changed, alerts: [], hard: true })
      vi.advanceTimersByTime(20)
      await setImmediate()
      publisher.stop()
      return { told, most }
    }
    const all = await tell()
    // A host has a stream of its own, and one of its metrics.
    expect(all.told.filter(one => /\d$/.test(one))).toHaveLength(2 * names.length)
    expect(all.most).toBeLessThanOrEqual(MOST_TOLD)
    const [host] = model.hosts.keys()
    const { told } = await tell((hub, stream) => hub === 'host' && stream === String(host))
    expect(told).toEqual([`host ${host}`, 'service global'])
    vi.useRealTimers()
  })
})
