import type { Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { CheckOutcome } from '../failure.ts'
import { createTestServers } from './check-kit.ts'

/** Servers that any check of a service must survive. */
const HOSTILE: Readonly<Record<string, (socket: Socket) => void>> = {
  'says nothing': () => undefined,
  'closes at once': socket => socket.end(),
  'resets the connection': socket => socket.once('data', () => socket.resetAndDestroy()),
  'sends a line without end': socket => flood(socket, Buffer.alloc(65_536, 0x61)),
  'sends lines without end': socket => flood(socket, Buffer.from('220-a\r\n* OK b\r\n'.repeat(4_000))),
  'sends zeros without end': socket => flood(socket, Buffer.alloc(65_536)),
  'sends one byte at a time': socket => {
    const timer = setInterval(() => socket.write('2'), 20)
    socket.once('close', () => clearInterval(timer))
  },
  'sends binary garbage': socket =>
    socket.write(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0, 1, 2, 0x0a, 0xfe])),
  'is a web server': socket => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'))
    // What a client that waits for a greeting would get after a while.
    setTimeout(() => socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'), 100)
  },
  'promises TLS that never ends': socket => socket.write(Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00])),
}

const flood = (socket: Socket, bytes: Buffer): void => {
  const go = (): void => {
    if (!socket.destroyed) socket.write(bytes, go)
  }
  go()
}

const LIMIT_MS = 600
/** What a busy machine may add before the end is called late. */
const LATE_MS = 1_500
const MEMORY = 64 * 1_024 * 1_024

/** Each of them fails the check in French, within its time limit, without holding its memory. */
export const itSurvives = (run: (port: number, timeoutMs: number) => Promise<CheckOutcome>): void => {
  const servers = createTestServers()
  afterEach(() => servers.close())
  it.each(Object.keys(HOSTILE))('a server that %s is contained and said in words', async name => {
    const port = await servers.tcp(HOSTILE[name] ?? (() => undefined))
    const before = process.memoryUsage().arrayBuffers
    const startedMs = performance.now()
    const { failure } = await run(port, LIMIT_MS)
    expect(performance.now() - startedMs).toBeLessThan(LIMIT_MS + LATE_MS)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MEMORY)
    expect(['timeout', 'protocol', 'tls', 'mismatch', 'refused']).toContain(failure?.code)
    // Words for people: no English, no code of an error.
    expect(failure?.message).toMatch(/délai|connexion|réponse|service|serveur|accueil|négociation/)
    expect(failure?.message).not.toMatch(/E[A-Z]{4,}|[Ee]rror|undefined|interne/)
  })
}
