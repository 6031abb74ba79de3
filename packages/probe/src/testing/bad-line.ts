import { connect, createServer, type Socket } from 'node:net'

export interface LineQuality {
  /** Delay of each piece of data, one way, and how much it varies. */
  readonly latencyMs: number
  readonly jitterMs: number
  /** Share of the pieces that are lost once: TCP sends them again, which is a delay of a third of a second. */
  readonly lossRatio: number
  /** Share of the pieces at which the connection is reset. */
  readonly resetRatio: number
}
const GOOD: LineQuality = { latencyMs: 0, jitterMs: 0, lossRatio: 0, resetRatio: 0 }
const RESENT_MS = 330

/** A line between a probe and its server that can be made bad: slow, lossy, half-open, partitioned (R34). */
export interface BadLine {
  readonly url: string
  readonly set: (quality: Partial<LineQuality>) => void
  /** Present connections carry nothing any more, and nobody is told: what a firewall that forgets them does. */
  readonly freeze: () => void
  /** The same, and new connections carry nothing either, until `mend`: only these are sound then. */
  readonly partition: () => void
  readonly mend: () => void
  readonly close: () => Promise<void>
}

export const openBadLine = async (serverPort: number, random: () => number = Math.random): Promise<BadLine> => {
  const sockets = new Set<Socket>()
  let quality = GOOD
  let apart = false
  let frozen = new WeakSet<Socket>()

  const carry = (from: Socket, to: Socket): void => {
    let freeMs = 0
    from.on('data', chunk => {
      if (frozen.has(from)) return
      if (random() < quality.resetRatio) {
        from.resetAndDestroy()
        to.resetAndDestroy()
        return
      }
      const lostMs = random() < quality.lossRatio ? RESENT_MS : 0
      const dueMs = performance.now() + quality.latencyMs + (random() * 2 - 1) * quality.jitterMs + lostMs
      // In order, as TCP gives it.
      freeMs = Math.max(freeMs, dueMs)
      setTimeout(() => {
        if (!frozen.has(from) && !to.destroyed) to.write(chunk)
      }, freeMs - performance.now())
    })
    from.on('error', () => undefined)
    from.once('close', () => {
      sockets.delete(from)
      if (!frozen.has(from)) to.destroy()
    })
  }
  const freezeAll = (): void => {
    for (const socket of sockets) frozen.add(socket)
  }
  const server = createServer(near => {
    const far = connect(serverPort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      if (apart) frozen.add(socket)
    }
    carry(near, far)
    carry(far, near)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    set: wanted => {
      quality = { ...quality, ...wanted }
    },
    freeze: freezeAll,
    partition: () => {
      apart = true
      freezeAll()
    },
    mend: () => {
      apart = false
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        frozen = new WeakSet()
        for (const socket of sockets) socket.destroy()
      }),
  }
}
