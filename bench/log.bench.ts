import { join } from 'node:path'
import { logRoutes } from '@narval/contracts'
import Database from 'better-sqlite3'
import type { ApiClient } from '../e2e/kit/client.ts'
import { quantile, say, timed } from './kit.ts'
import { measuredServer } from './kit-server.ts'

/**
 * The log at 100,000 and 1,000,000 entries: its first page, filters and searches, each as the middle of some rounds; a
 * word that is rare should cost about the same with ten times as many. What is written of them is not sealed.
 */
const SIZES = [100_000, 1_000_000]
const ROUNDS = 7
const YEAR_MS = 365 * 86_400_000

/** Entries of a year: changes of 10,000 hosts, a tenth sign-ins. */
const fill = (folder: string, size: number): void => {
  const database = new Database(join(folder, 'narval.db'))
  const put =
    database.prepare(`insert into audit (at, actor, address, action, object, outcome, detail, object_kind, site_id, words,
    position) values (?, ?, ?, ?, ?, 'success', ?, ?, ?, ?, 0)`)
  const from = Date.now() - YEAR_MS
  database.transaction(() => {
    for (let n = 0; n < size; n += 1) {
      const [host, actor] = [n % 10_000, `agent${n % 50}`]
      const isLogin = n % 10 === 0
      const detail = isLogin
        ? '{}'
        : `{"name":"srv-${host}","changes":{"address":{"before":"10.0.${n % 250}.1","after":"10.0.${n % 250}.2"}}}`
      put.run(
        ...[from + Math.floor((n * YEAR_MS) / size), actor, `192.0.2.${n % 250}`, isLogin ? 'login' : 'host-update'],
        ...[isLogin ? `session ${n}` : `host ${host}`, detail, isLogin ? 'session' : 'host', host % 1_000],
        isLogin ? `${actor} connexion session ${n}` : `${actor} equipement modification host ${host} srv ${n % 250}`,
      )
    }
  })()
  database.close()
}

/** `ask` is given another number each time, so that nothing is answered from what was counted before. */
let turn = 0
const median = async (ask: (turn: number) => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    turn += 1
    times.push(await timed(() => ask(turn)))
  }
  return quantile(times, 0.5)
}

const page = (api: ApiClient, filters: Record<string, string>, value = '') =>
  api.call(logRoutes.datatable.put, { body: { filters, search: { value } } })

const QUESTIONS: readonly (readonly [string, (api: ApiClient, turn: number) => Promise<unknown>])[] = [
  ['first page', api => page(api, {})],
  ['first page, counted anew', (api, turn) => page(api, { after: String(-turn + 1_000) })],
  ['one action of ten', api => page(api, { action: 'login' })],
  ['one person of fifty', (api, turn) => page(api, { actor: `agent${(turn % 40) + 10}` })],
  ['last 24 h', api => page(api, { period: 'day' })],
  ['word of 1 entry in 10,000', (api, turn) => page(api, {}, `${5_000 + turn}`)],
  ['that word with one of 9 in 10', (api, turn) => page(api, {}, `host ${5_000 + turn}`)],
  ['word of 1 entry in 50', (api, turn) => page(api, {}, `agent${(turn % 40) + 10}`)],
  ['word of 9 entries in 10', (api, turn) => page(api, { after: String(turn) }, 'equipement')],
]

const found = new Map<string, number[]>()
for (const size of SIZES) {
  const { server, api, end } = await measuredServer()
  const ms = await timed(async () => fill(server.folder, size))
  console.log(`${size} entries (written in ${(ms / 1_000).toFixed(0)} s)`)
  for (const [what, ask] of QUESTIONS) {
    const middle = await median(nth => ask(api, nth))
    found.set(what, [...(found.get(what) ?? []), middle])
    say(`  ${what}`, `${middle.toFixed(1)} ms`)
  }
  await end()
}
console.log('growth, ten times as many')
for (const [what, [small = 1, large = 1]] of found) say(`  ${what}`, `× ${(large / small).toFixed(1)}`)
