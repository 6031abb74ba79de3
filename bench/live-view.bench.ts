import { loadavg } from 'node:os'
import { type CheckResult, dashboardRoutes, type Scanner } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { openBrowser, openPage, signInPage } from '../e2e/kit/browser.ts'
import type { ApiClient } from '../e2e/kit/client.ts'
import { ADMIN, removeFolder, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { quantile, say } from './kit.ts'
import { demoServer, sleep, type Taken, takeOver } from './kit-load.ts'
import { loaded, pair, rounds, turned } from './kit-paint.ts'

/**
 * The live view in Chromium with 1,000 problems open, on fleets of 1,000 and 10,000 hosts: when its rows are first painted,
 * how long an act waits for its paint, frames while one scrolls, and what it keeps while 500 metrics change a second
 * (NARVAL_BENCH_MINUTES, 2 unless told; 30 shows a leak of a megabyte an hour; NARVAL_BENCH_ROUNDS, 10 unless told, of the
 * paints before). The console must have been built.
 */
const SIZES = (process.env.NARVAL_BENCH_HOSTS ?? '1000,10000').split(',').map(Number)
const PROBLEMS = 1_000
const ROUNDS = Number(process.env.NARVAL_BENCH_ROUNDS ?? 10)
const CHANGES_PER_SECOND = 500
const POSTS_PER_SECOND = 5
const MINUTES = Number(process.env.NARVAL_BENCH_MINUTES ?? 2)
/** What comes once: code of the page, caches that have their size. */
const WARM_MINUTES = Math.min(2, MINUTES - 1)
const SAY_EVERY_MINUTES = 5
const ATTEMPTS = 3
const PATH = '/dashboard/live-view'

/** Counts frames and the time between two, from its start to its end. */
const WATCH_FRAMES = `(() => {
  const frames = { times: [], last: performance.now(), on: true }
  const next = at => {
    if (!frames.on) return
    frames.times.push(at - frames.last)
    frames.last = at
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  window.benchFrames = frames
})()`
const FRAMES = `(() => { window.benchFrames.on = false; return window.benchFrames.times.slice(1) })()`

/** The longest wait of the browser's own account of interactions, in ms; 0 when all were under 16. */
const WATCH_EVENTS = `(() => {
  window.benchEvents = []
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (entry.interactionId > 0) window.benchEvents.push(entry.duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
})()`

const resultOf = ({ id }: Scanner, isGood: boolean): CheckResult => ({
  scanner: id,
  at: Date.now(),
  durationMs: 3,
  failure: isGood ? null : { code: 'timeout', message: 'délai dépassé après 2 s' },
  values: isGood ? { connect_time: Math.random() } : {},
})

let sequence = 0
const post = async (taken: Taken, results: readonly CheckResult[]): Promise<void> => {
  const status = await taken.probe.post(++sequence, results)
  if (status !== 204) throw new Error(`a post answered ${status}`)
}

/** Every scanner has a result; the first ones fail until their metrics are confirmed problems. */
const openProblems = async (taken: Taken, api: ApiClient): Promise<number> => {
  const failing = taken.scanners.slice(0, PROBLEMS)
  for (let from = 0; from < taken.scanners.length; from += 1_000)
    await post(
      taken,
      taken.scanners.slice(from, from + 1_000).map(scanner => resultOf(scanner, true)),
    )
  for (let attempt = 0; attempt <= ATTEMPTS; attempt++) {
    await sleep(1_100)
    await post(
      taken,
      failing.map(scanner => resultOf(scanner, false)),
    )
  }
  await sleep(2_000)
  const { recordsFiltered } = await api.call(dashboardRoutes.datatable.put, { body: { filters: { view: 'problems' } } })
  return recordsFiltered
}

/** Goes on posting changes until told to stop. */
const keepChanging = async (taken: Taken, isOver: () => boolean): Promise<number> => {
  const perPost = CHANGES_PER_SECOND / POSTS_PER_SECOND
  const startedMs = performance.now()
  let turn = 0
  for (; !isOver(); turn++) {
    const results = Array.from({ length: perPost }, (_, index) => {
      const place = (turn * perPost + index) % taken.scanners.length
      const scanner = taken.scanners[place]
      return scanner === undefined ? [] : [resultOf(scanner, place >= PROBLEMS)]
    }).flat()
    await post(taken, results)
    await sleep(Math.max(0, startedMs + ((turn + 1) * 1_000) / POSTS_PER_SECOND - performance.now()))
  }
  return (turn * perPost * 1_000) / (performance.now() - startedMs)
}

const heapMb = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}

const watchHeap = async (page: Page): Promise<number[]> => {
  const heaps: number[] = []
  for (let minute = 0; minute <= MINUTES; minute++) {
    const heap = await heapMb(page)
    heaps.push(heap)
    if (minute % SAY_EVERY_MINUTES === 0)
      say(`  heap after ${minute} min`, `${heap.toFixed(2)} MiB`, `load ${loadavg()[0]?.toFixed(0)}`)
    if (minute < MINUTES) await sleep(60_000)
  }
  return heaps
}

/** Of the line nearest to values a step apart. */
const slopeOf = (values: readonly number[]): number => {
  const middle = (values.length - 1) / 2
  const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return values.reduce((sum, value, at) => sum + value * (at - middle), 0) / Math.max(spread, 1)
}
const signed = (value: number): string => `${value >= 0 ? '+' : ''}${value.toFixed(2)}`

/** What an operator does: another view, a word searched, a sort, a row ticked. */
const act = async (page: Page): Promise<void> => {
  for (const view of ['Tous les problèmes', 'Tout', 'Problèmes non traités']) {
    await page.getByText(view, { exact: true }).first().click()
    await sleep(300)
  }
  const search = page.getByRole('searchbox').last()
  await search.pressSequentially('srv', { delay: 40 })
  await sleep(600)
  await search.fill('')
  await sleep(600)
}

for (const size of SIZES) {
  const folder = temporaryFolder()
  const { server, api } = await demoServer(folder, size, {})
  const taken = await takeOver(server, api)
  sequence = 0
  const problems = await openProblems(taken, api)
  const browser = await openBrowser()
  const { page } = await openPage(browser, server.url)
  await signInPage(page, ADMIN.login, ADMIN.password)
  await page.waitForURL(`**${PATH}`)
  const title = `live view, ${size} hosts, ${problems} problems`

  const loads = await rounds(ROUNDS, () => loaded(page, PATH))
  say(`${title}: its address loaded, to painted rows, p50 / p95`, pair(loads), 'limit: 1 s')
  say('  by the menu, p50 / p95', pair(await rounds(ROUNDS, () => turned(page, PATH, '/site'))))

  let isOver = false
  const changing = keepChanging(taken, () => isOver)
  await page.evaluate(WATCH_EVENTS)
  for (let round = 0; round < 3; round++) await act(page)
  const events = await page.evaluate<number[]>('window.benchEvents')
  say(
    '  act to its paint while it changes, p95 / worst',
    `${quantile(events, 0.95)} / ${Math.max(0, ...events)} ms`,
    'limit: 100 ms',
  )

  await page.getByText('Tout', { exact: true }).first().click()
  await sleep(1_000)
  await page.mouse.move(700, 600)
  await page.evaluate(WATCH_FRAMES)
  for (let step = 0; step < 100; step++) {
    await page.mouse.wheel(0, step < 50 ? 120 : -120)
    await sleep(16)
  }
  const frames = await page.evaluate<number[]>(FRAMES)
  const late = frames.filter(ms => ms > 50).length
  say('  frame while one scrolls, p50 / p95', pair(frames), `${late} of ${frames.length} over 50 ms`)

  const heaps = await watchHeap(page)
  isOver = true
  const rate = await changing
  const [warm, last] = [heaps[WARM_MINUTES] ?? 0, heaps.at(-1) ?? 0]
  say(
    `  heap after ${MINUTES} min at ${rate.toFixed(0)} changes/s`,
    `${last.toFixed(1)} MiB`,
    `${warm.toFixed(1)} MiB after ${WARM_MINUTES} min; a line through what follows rises by ${signed(slopeOf(heaps.slice(WARM_MINUTES)) * 60)} MiB an hour`,
  )
  await browser.close()
  await stopServer(server)
  removeFolder(folder)
}
