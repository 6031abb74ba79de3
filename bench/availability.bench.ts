import { join } from 'node:path'
import { availabilityRoutes, hostRoutes } from '@narval/contracts'
import Database from 'better-sqlite3'
import { signIn } from '../e2e/kit/client.ts'
import { freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { insideOf, quantile, say, timed } from './kit.ts'
import { csvOf, runImport, upload } from './kit-import.ts'
import { besides } from './kit-server.ts'

/**
 * A month of availability at 1,000 and 10,000 hosts: half of them with two outages a week, all of them in a maintenance each
 * night, offices with service hours. Each report is of another period, so that nothing was computed before. Beside each
 * time the server's own CPU, which a machine that does other things does not lengthen.
 */
const SIZES = [1_000, 10_000]
const ROUNDS = 5
const DAY_MS = 86_400_000
const DAYS = 30
const ENV = { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error', NARVAL_LOGIN_RATE: 'off' }
const OFFICE = JSON.stringify([{ days: [1, 2, 3, 4, 5], from: '08:00', to: '19:00' }])

const writeMonth = (file: string, nowMs: number): void => {
  const database = new Database(file)
  const beginMs = nowMs - (DAYS + 5) * DAY_MS
  const ids = database.prepare<[], { id: number }>('select id from host order by id').all()
  database.transaction(() => {
    database.prepare('update host set created_at = ?').run(beginMs)
    database.prepare('update site set opening_hours = ? where id % 2 = 0').run(OFFICE)
    database.exec('delete from host_change; delete from server_run')
    database.prepare('insert into server_run (started_at, seen_at) values (?, ?)').run(beginMs, nowMs)
    const change = database.prepare('insert into host_change (host_id, at, state, flapping) values (?, ?, ?, 0)')
    for (const { id } of ids) {
      change.run(id, beginMs, 'available')
      for (let outage = 0; outage < (id % 2 === 0 ? 9 : 0); outage += 1) {
        const at = beginMs + 5 * DAY_MS + outage * 3.3 * DAY_MS + (id % 1_000) * 60_000
        change.run(id, Math.floor(at), 'down')
        change.run(id, Math.floor(at + 1_200_000), 'available')
      }
    }
    const run =
      database.prepare(`insert into maintenance_run (maintenance_id, comment, occurrence_at, started_at, until,
      ended_at, host_count, metric_count, hosts, metrics, bad_at_start) values (null, 'Nuit', ?, ?, ?, ?, 0, 0, ?, '', '')`)
    for (let day = 0; day < DAYS; day += 1) {
      const at = beginMs + day * DAY_MS
      run.run(at, at, at + 3_600_000, at + 3_600_000, `${ids[0]?.id ?? 1}-${ids.at(-1)?.id ?? 1}`)
    }
  })()
  database.close()
}

for (const size of SIZES) {
  const folder = temporaryFolder()
  const first = await startServer(folder, await freePort(), ENV)
  const maker = await signIn(first.url)
  const sites = size / 10
  const siteRows = Array.from({ length: sites }, (_, n) => `S-${n};Site ${n}`)
  await runImport(maker, await upload(first, maker, 'site', csvOf('Code;Nom', siteRows)))
  const hostRows = Array.from({ length: size }, (_, n) => `srv-${n};192.0.2.1;S-${n % sites};Mesure`)
  await runImport(maker, await upload(first, maker, 'host', csvOf('Nom;Adresse;Site;Type', hostRows)))
  await stopServer(first)
  const nowMs = Date.now()
  writeMonth(join(folder, 'narval.db'), nowMs)
  const inside = insideOf(folder)
  const server = await startServer(folder, await freePort(), { ...ENV, ...inside.env })
  const api = await signIn(server.url)
  let turn = 0
  const period = () => {
    turn += 1
    const to = nowMs - turn * 1_000
    return { from: new Date(to - DAYS * DAY_MS).toISOString(), to: new Date(to).toISOString() }
  }
  const measure = async (figure: string, work: () => Promise<unknown>): Promise<void> => {
    const times: number[] = []
    await inside.look(server)
    for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work))
    const { cpuMs } = await inside.look(server)
    say(`${size} hosts: ${figure}`, `${quantile(times, 0.5).toFixed(0)} ms`, `CPU ${(cpuMs / ROUNDS).toFixed(0)} ms`)
  }
  const put = availabilityRoutes.datatable.put
  await measure('first page, never computed', () => api.call(put, { body: { filters: period() } }))
  const same = period()
  await api.call(put, { body: { filters: same } })
  await measure('next page of the same report', () => api.call(put, { body: { filters: same, start: 25 } }))
  await measure('by site, never computed', () => api.call(put, { body: { filters: { ...period(), by: 'site' } } }))
  const [host] = await api.call(hostRoutes.list, { query: {} })
  const params = { id: String(host?.id ?? 0) }
  await measure('one host with its intervals', () => api.call(availabilityRoutes.host, { params, query: period() }))
  const shared = await besides(api, () => api.call(put, { body: { filters: period() } }))
  say(
    `${size} hosts: longest wait of others meanwhile`,
    `${shared.longestMs.toFixed(0)} ms`,
    `report ${shared.ms.toFixed(0)} ms`,
  )
  await stopServer(server)
  removeFolder(folder)
}
