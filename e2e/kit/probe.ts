import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CheckResult, probeRoutes } from '@narval/contracts'
import Database from 'better-sqlite3'
import { signIn } from './client.ts'
import { type Program, spawnProgram } from './program.ts'
import { startServer, stopServer } from './server.ts'

const MAIN = fileURLToPath(new URL('../../packages/probe/src/main.ts', import.meta.url))

/** Starts the real probe program on its folder; it must be enrolled there already. */
export const startProbe = (folder: string, serverUrl: string): Program =>
  spawnProgram(MAIN, {
    NARVAL_SERVER: serverUrl,
    NARVAL_PROBE_DATA: folder,
    NARVAL_PROBE_NAME: 'Sonde locale',
    NARVAL_PROBE_LOOPBACK: '1',
    NARVAL_LOG: 'warn',
  })

/**
 * Lets a server on this folder enrol its local probe, the only kind that may aim at loopback, then stops both. The
 * probe's folder is then free for `startProbe`, and lives on whatever becomes of the server.
 */
export const enrolLocalProbe = async (folder: string, port: number): Promise<{ id: number; folder: string }> => {
  const server = await startServer(folder, port)
  const api = await signIn(server.url)
  const deadlineMs = performance.now() + 30_000
  for (;;) {
    const probe = (await api.call(probeRoutes.list)).find(one => one.local && one.state === 'online')
    if (probe !== undefined) {
      await stopServer(server)
      return { id: probe.id, folder: join(folder, 'probe') }
    }
    if (performance.now() > deadlineMs) throw new Error(`no local probe:\n${server.output()}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Results in the spool of a probe that does not run: those queued and those in batches not acknowledged. */
export const spooledResults = (folder: string): CheckResult[] => {
  const db = new Database(join(folder, 'spool.db'))
  const rows = db.prepare<[], { body: string }>('SELECT body FROM result').all()
  const batches = db.prepare<[], { results: string }>('SELECT results FROM batch').all()
  db.close()
  return [...rows.map(row => JSON.parse(row.body)), ...batches.flatMap(row => JSON.parse(row.results))]
}
