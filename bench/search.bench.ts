import { searchRoutes } from '@narval/contracts'
import { quantile, say, timed } from './kit.ts'
import { createFleet, METRICS_PER_HOST } from './kit-fleet.ts'
import { measuredServer } from './kit-server.ts'

/**
 * The search box at 1,000 and 10,000 hosts with eleven metrics each, by HTTP: how long an answer takes, and what the server
 * works for it (CPU time: whoever else uses the machine does not count), as a multiple of a term without words in the same
 * run, which costs everything but the search itself; and how that grows.
 */
const SIZES = [1_000, 10_000]
const ROUNDS = 20
/** Asked before, so that what is measured is what one meets who searches all day. */
const WARM = 10

/** Another number each time. */
const QUESTIONS: readonly (readonly [string, (turn: number) => string])[] = [
  ['nothing: what a call costs', () => ''],
  ['one letter', () => 's'],
  ['part of every host', () => 'srv'],
  ['one host', turn => `srv-lyon-${turn * 6 + 1}`],
  ['two words, one host', turn => `${turn * 6 + 1} lyon`],
  ['two letters in the wrong order', turn => `srv-lyno-${turn * 6 + 1}`],
  ['a metric of a host', turn => `disponibilite srv-lyon-${turn * 6 + 1}`],
  ['what every host has', () => 'disponibilite'],
  ['what nothing has', () => 'zzyzx-introuvable'],
  ['eight words', () => 'srv lyon rennes site mesure ping dispo web'],
]

const found = new Map<string, number[]>()
for (const size of SIZES) {
  const { server, inside, api, end } = await measuredServer()
  const ms = await timed(() => createFleet(server, api, size))
  console.log(`${size} hosts, ${size * METRICS_PER_HOST} metrics (made in ${(ms / 1_000).toFixed(0)} s)`)
  let baseline = Number.NaN
  for (const [what, term] of QUESTIONS) {
    const times: number[] = []
    let results = 0
    for (let turn = 0; turn < WARM; turn += 1)
      await api.call(searchRoutes.search, { query: { term: term(turn + ROUNDS) } })
    await inside.look(server)
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const query = { term: term(turn) }
      times.push(await timed(async () => ({ length: results } = await api.call(searchRoutes.search, { query }))))
    }
    const { cpuMs, turnCpuMs } = await inside.look(server)
    const work = cpuMs / ROUNDS
    if (Number.isNaN(baseline)) baseline = work
    found.set(what, [...(found.get(what) ?? []), work])
    const waited = `answered in ${quantile(times, 0.5).toFixed(1)} ms, at best ${Math.min(...times).toFixed(1)}`
    const note = `× ${(work / baseline).toFixed(1)}; ${waited}; longest turn ${turnCpuMs.toFixed(0)} ms; ${results} found`
    say(`  ${what}`, `${work.toFixed(1)} ms CPU`, note)
  }
  await end()
}
console.log('growth, ten times as many')
for (const [what, [small = 1, large = 1]] of found) say(`  ${what}`, `× ${(large / small).toFixed(1)}`)
