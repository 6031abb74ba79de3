import { HUB_RETRY_MS } from '@narval/contracts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHubLink, type Wire } from './hub-link.ts'

/** A connection under the test's hand. */
class FakeWire implements Wire {
  readonly invoked: string[] = []
  failStart = false
  failJoin = false
  started = false
  stopped = false
  private closed: () => void = () => {}
  private reconnecting: () => void = () => {}
  private reconnected: () => void = () => {}
  async start(): Promise<void> {
    if (this.failStart) throw new Error('start')
    this.started = true
  }
  async stop(): Promise<void> {
    this.stopped = true
    this.closed()
  }
  async invoke(method: string, stream: unknown): Promise<void> {
    this.invoked.push(`${method} ${String(stream)}`)
    if (this.failJoin) throw new Error('join')
  }
  onclose(run: () => void): void {
    this.closed = run
  }
  onreconnecting(run: () => void): void {
    this.reconnecting = run
  }
  onreconnected(run: () => void): void {
    this.reconnected = run
  }
  close(): void {
    this.closed()
  }
  lose(): void {
    this.reconnecting()
  }
  regain(): void {
    this.reconnected()
  }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve()
}

const setUp = () => {
  const wires: FakeWire[] = []
  const timers: { ms: number; run: () => void; live: boolean }[] = []
  let deliver: (payload: number) => void = () => {}
  let prepare: (wire: FakeWire) => void = () => {}
  const link = createHubLink<number>({
    join: 'Join',
    leave: 'Leave',
    after: (ms, run) => {
      const timer = { ms, run, live: true }
      timers.push(timer)
      return () => {
        timer.live = false
      }
    },
    open: async given => {
      deliver = given
      const wire = new FakeWire()
      prepare(wire)
      wires.push(wire)
      return wire
    },
  })
  return {
    link,
    wires,
    timers,
    deliver: (payload: number) => deliver(payload),
    prepare: (how: (wire: FakeWire) => void) => {
      prepare = how
    },
    /** Runs what waits for this delay. */
    fire: async (ms: number) => {
      for (const timer of timers.filter(one => one.live && one.ms === ms)) {
        timer.live = false
        timer.run()
      }
      await settle()
    },
  }
}

describe('a hub of the console', () => {
  let one: ReturnType<typeof setUp>
  beforeEach(() => {
    one = setUp()
  })

  test('connects only when somebody is signed in and somebody listens', async () => {
    one.link.allow(true)
    await settle()
    expect(one.wires).toHaveLength(0)
    one.link.hold('global', () => {})
    await settle()
    expect(one.wires).toHaveLength(1)
    expect(one.wires[0]?.invoked).toEqual(['Join global'])
    expect(one.link.state()).toBe('Connected')
  })

  test('a stream held twice is joined once, and left with the last', async () => {
    one.link.allow(true)
    const first = one.link.hold('12', () => {})
    const second = one.link.hold('12', () => {})
    const other = one.link.hold('global', () => {})
    await settle()
    first()
    expect(one.wires[0]?.invoked).toEqual(['Join 12', 'Join global'])
    second()
    expect(one.wires[0]?.invoked).toEqual(['Join 12', 'Join global', 'Leave 12'])
    other()
  })

  test('each listener hears each event once', async () => {
    const heard: number[] = []
    const handler = (payload: number) => heard.push(payload)
    one.link.allow(true)
    one.link.hold('a', handler)
    one.link.hold('b', handler)
    await settle()
    one.deliver(5)
    expect(heard).toEqual([5])
  })

  test('a failed start is tried again after 3 s (spec §4)', async () => {
    one.prepare(wire => {
      wire.failStart = true
    })
    one.link.allow(true)
    one.link.hold('global', () => {})
    await settle()
    expect(one.link.state()).toBe('Disconnected')
    one.prepare(() => {})
    await one.fire(HUB_RETRY_MS)
    expect(one.wires).toHaveLength(2)
    expect(one.link.state()).toBe('Connected')
  })

  test('a close is followed by a new connection after 3 s, which joins all streams again', async () => {
    one.link.allow(true)
    one.link.hold('global', () => {})
    one.link.hold('12', () => {})
    await settle()
    one.wires[0]?.close()
    expect(one.link.state()).toBe('Disconnected')
    await one.fire(HUB_RETRY_MS)
    expect(one.wires[1]?.invoked).toEqual(['Join global', 'Join 12'])
    expect(one.link.state()).toBe('Connected')
  })

  test('after the client’s own reconnection the streams are joined again, and it is said that events may be missing', async () => {
    const joins: boolean[] = []
    one.link.onJoined(again => joins.push(again))
    one.link.allow(true)
    one.link.hold('global', () => {})
    await settle()
    one.wires[0]?.lose()
    expect(one.link.state()).toBe('Reconnecting')
    one.wires[0]?.regain()
    await settle()
    expect(one.wires[0]?.invoked).toEqual(['Join global', 'Join global'])
    expect(one.link.state()).toBe('Connected')
    expect(joins).toEqual([false, true])
  })

  test('is not « Connected » while a join is refused, and asks again', async () => {
    one.prepare(wire => {
      wire.failJoin = true
    })
    one.link.allow(true)
    one.link.hold('global', () => {})
    await settle()
    expect(one.link.state()).toBe('Connecting')
    const [wire] = one.wires
    if (wire !== undefined) wire.failJoin = false
    await one.fire(HUB_RETRY_MS)
    expect(one.link.state()).toBe('Connected')
  })

  test('signing out stops the connection and every retry', async () => {
    one.link.allow(true)
    one.link.hold('global', () => {})
    await settle()
    one.link.allow(false)
    await settle()
    expect(one.wires[0]?.stopped).toBe(true)
    expect(one.link.state()).toBe('Disconnected')
    await one.fire(HUB_RETRY_MS)
    expect(one.wires).toHaveLength(1)
  })

  test('signing out and in during a start leaves one connection', async () => {
    one.link.hold('global', () => {})
    one.link.allow(true)
    one.link.allow(false)
    one.link.allow(true)
    await settle()
    expect(one.wires.filter(wire => wire.started && !wire.stopped)).toHaveLength(1)
    expect(one.link.state()).toBe('Connected')
  })

  test('the connection outlives a change of page, and ends when nobody came', async () => {
    one.link.allow(true)
    const release = one.link.hold('global', () => {})
    await settle()
    release()
    one.link.hold('global', () => {})
    await one.fire(10_000)
    expect(one.wires[0]?.stopped).toBe(false)
  })
})
