import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { CheckResult, ProbeCheck } from '@narval/contracts'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestServers } from './testing/check-kit.ts'
import { type ProbeProcesses, prepareProbeProcesses } from './testing/probe-process.ts'
import type { WireServer } from './testing/wire-server.ts'

let probes: ProbeProcesses
let folder: string
let server: WireServer
let target: Server
let port = 0
const targets = createTestServers()
const start = (env: NodeJS.ProcessEnv = {}) => probes.start(env)

beforeEach(async () => {
  probes = await prepareProbeProcesses()
  folder = probes.folder
  server = probes.server
  target = createServer(socket => socket.on('error', () => undefined).end())
  port = await targets.listen(target)
})
afterEach(async () => {
  await probes.end()
  await targets.close()
})

const check = (scanner: number, more: Partial<ProbeCheck> = {}): ProbeCheck => ({
  scanner,
  kind: 'tcp',
  address: '127.0.0.1',
  intervalMs: 60_000,
  retryIntervalMs: 20_000,
  attempts: 3,
  timeoutMs: 2_000,
  parameters: { port },
  loopback: true,
  ...more,
})
const results = (): CheckResult[] => server.committed.flatMap(batch => batch.results)

describe('from enrolment to results', () => {
  it('enrols, is configured, measures, obeys a recheck, and stops within 5 s on SIGTERM', async () => {
    server.configure([check(1), check(2, { parameters: { port: 1 } })])
    const probe = start()
    await server.until(() => new Set(results().map(result => result.scanner)).size === 2)
    expect(results().find(result => result.scanner === 1)?.failure).toBeNull()
    expect(results().find(result => result.scanner === 2)?.failure?.code).toBe('refused')
    expect(statSync(join(folder, 'identity.json')).mode & 0o777).toBe(0o600)
    const before = results().filter(result => result.scanner === 1).length
    server.order({ id: 'a', kind: 'recheck', scanners: [1], deadlineMs: Date.now() + 30_000 })
    await server.until(() => results().filter(result => result.scanner === 1).length > before)
    expect(server.committed.some(batch => batch.health !== undefined)).toBe(true)
    const askedMs = performance.now()
    probe.child.kill('SIGTERM')
    expect(await probe.exit).toBe(0)
    expect(performance.now() - askedMs).toBeLessThan(5_000)
    expect(server.refusals).toEqual([])
  })

  it('goes on measuring after a restart while the server is away, and delivers when it is back', async () => {
    server.configure([check(1, { intervalMs: 300 })])
    const first = start()
    await server.until(() => results().length > 2)
    first.child.kill('SIGTERM')
    await first.exit
    await server.down()
    const restartedMs = Date.now()
    start({ NARVAL_ENROLL_CODE: '' })
    await expect.poll(() => target.listening && connections, { timeout: 20_000 }).toBeGreaterThan(2)
    await server.listen()
    await server.until(() => results().some(result => result.at > restartedMs))
  })

  it('R27: results that were measured before SIGTERM are in the spool or at the server', async () => {
    server.configure(Array.from({ length: 50 }, (_, n) => check(n + 1, { intervalMs: 200 })))
    const probe = start()
    await server.until(() => results().length > 200)
    let refused = 0
    server.treat = () => {
      refused += 1
      return { commit: false, status: 503 }
    }
    await server.until(() => refused > 0)
    probe.child.kill('SIGTERM')
    expect(await probe.exit).toBe(0)
    const kept = spooled(folder)
    expect(kept.length).toBeGreaterThan(0)
    // Each run is one connection of the target; those under way at the signal have no result.
    expect(connections - kept.length - results().length).toBeLessThanOrEqual(50)
  })
})

let connections = 0
beforeEach(() => {
  connections = 0
  target.on('connection', () => {
    connections += 1
  })
})

/** A new check may run twice in one millisecond: the duration tells those runs apart. */
const keyOf = (result: CheckResult): string => `${result.scanner} ${result.at} ${result.durationMs}`

/** What a stopped or killed probe has in its spool, by key. */
const spooled = (data: string): string[] => {
  const db = new Database(join(data, 'spool.db'))
  const rows = db.prepare<[], { body: string }>('SELECT body FROM result').all()
  const batches = db.prepare<[], { results: string }>('SELECT results FROM batch').all()
  db.close()
  const parsed: CheckResult[] = [
    ...rows.map(row => JSON.parse(row.body)),
    ...batches.flatMap(row => JSON.parse(row.results)),
  ]
  return parsed.map(keyOf)
}

describe('R10: SIGKILL', () => {
  it('killed 25 times under load with a failing server: nothing queued is lost, nothing is stored twice', async () => {
    let turn = 0
    server.treat = () => {
      turn += 1
      if (turn % 5 === 1) return { commit: true, status: 'cut' }
      return turn % 5 === 2 ? { commit: false, status: 503, retryAfter: '0' } : { commit: true, status: 204 }
    }
    server.configure(Array.from({ length: 100 }, (_, n) => check(n + 1, { intervalMs: 200 })))
    const queued = new Set<string>()
    for (let kill = 0; kill < 25; kill += 1) {
      const posted = server.posted.length
      const probe = start()
      await server.until(() => server.posted.length > posted + (kill % 4))
      await new Promise(resolve => setTimeout(resolve, (kill * 37) % 190))
      probe.child.kill('SIGKILL')
      await probe.exit
      for (const key of spooled(folder)) queued.add(key)
    }
    server.treat = () => ({ commit: true, status: 204 })
    const stored = () => new Set(results().map(keyOf))
    start()
    await server.until(() => {
      const have = stored()
      return [...queued].every(key => have.has(key))
    })
    const all = results().map(keyOf)
    expect(new Set(all).size).toBe(all.length)
    process.stdout.write(
      `R10: 25 kills, ${queued.size} results seen in the spool, ${all.length} stored, 0 lost, 0 twice\n`,
    )
    expect(queued.size).toBeGreaterThan(100)
  })
})

describe('R20: one process a data folder', () => {
  it('a second probe is refused with the pid of the first; after a SIGKILL the folder is taken over', async () => {
    const first = start()
    await server.until(() => server.committed.length > 0)
    const second = start()
    expect(await second.exit).toBe(2)
    expect(second.said()).toContain(String(first.child.pid))
    first.child.kill('SIGKILL')
    await first.exit
    const before = server.posted.length
    start()
    await server.until(() => server.posted.length > before)
  })

  it('a lock whose pid was given to another process is taken over', async () => {
    writeFileSync(join(folder, 'probe.lock'), JSON.stringify({ pid: process.pid, started: 'another boot 1' }))
    start()
    await server.until(() => server.committed.length > 0)
    expect(readFileSync(join(folder, 'probe.lock'), 'utf8')).not.toContain('another boot')
  })
})

describe('what a person must mend is said in French, with exit code 2', () => {
  it('every fault of the configuration at once', async () => {
    const probe = start({
      NARVAL_SERVER: 'ftp://x/y',
      NARVAL_PROBE_DATA: '/dev/null/narval',
      NARVAL_ENROLL_CODE: 'abc',
      NARVAL_PROBE_LOOPBACK: 'oui',
      NARVAL_LOG: 'loud',
      NARVAL_PROBE_SPOOL_MB: '0',
    })
    expect(await probe.exit).toBe(2)
    for (const name of [
      'NARVAL_SERVER',
      'NARVAL_PROBE_DATA',
      'NARVAL_ENROLL_CODE',
      'NARVAL_PROBE_LOOPBACK',
      'NARVAL_LOG',
      'NARVAL_PROBE_SPOOL_MB',
    ]) {
      expect(probe.said()).toContain(name)
    }
  })

  it('an unknown code, a missing code, and the code of another server', async () => {
    const unknown = start({ NARVAL_ENROLL_CODE: `${'0'.repeat(24)}.${server.code.split('.')[1]}` })
    expect(await unknown.exit).toBe(2)
    expect(unknown.said()).toContain('Code inconnu.')
    const missing = start({ NARVAL_ENROLL_CODE: '' })
    expect(await missing.exit).toBe(2)
    expect(missing.said()).toContain('enrôlée')
    const enrolled = start()
    await server.until(() => server.committed.length > 0)
    enrolled.child.kill('SIGTERM')
    await enrolled.exit
    const other = start({ NARVAL_ENROLL_CODE: `${'0'.repeat(24)}.${'f'.repeat(16)}` })
    expect(await other.exit).toBe(2)
    expect(other.said()).toContain('autre serveur')
  })

  it('settings come from a JSON file too, and the environment wins', async () => {
    const file = join(folder, 'config.json')
    writeFileSync(file, JSON.stringify({ server: 'http://127.0.0.1:1', name: 'fichier', loopback: true, color: 'red' }))
    const probe = start({ NARVAL_PROBE_CONFIG: file })
    expect(await probe.exit).toBe(2)
    expect(probe.said()).toContain('color')
  })
})
