import type { Page } from 'playwright-core'
import { openBrowser, openPage, signInPage } from '../e2e/kit/browser.ts'
import { signIn } from '../e2e/kit/client.ts'
import { ADMIN, freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { quantile, say } from './kit.ts'
import { createFleet } from './kit-fleet.ts'

/**
 * The page of equipment in Chromium, with 1,000 and 10,000 hosts: from the navigation to the frame in which rows are
 * painted by its address and by the menu. The console must have been built.
 */
const SIZES = [1_000, 10_000]
const ROUNDS = 10
const PATH = '/host'

/** In the page: the time of the frame after the one in which a row of hosts stands there. */
const PAINTED = `new Promise(resolve => {
  const look = () => location.pathname !== '${PATH}' || document.querySelector('tr[aria-rowindex="2"]') === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  look()
})`

/** The document of its address anew, everything of it from the browser's cache but what the server says not to keep. */
const loaded = async (page: Page): Promise<number> => {
  await page.goto(PATH, { waitUntil: 'commit' })
  return page.evaluate<number>(PAINTED)
}
/** By the entry of the menu, from the live view. */
const turned = async (page: Page): Promise<number> => {
  await page.goto('/dashboard/live-view')
  await page.locator(`a[href="${PATH}"]`).first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  return page.evaluate<number>(`(() => {
    const from = performance.now()
    document.querySelector('a[href="${PATH}"]').click()
    return ${PAINTED}.then(at => at - from)
  })()`)
}

for (const size of SIZES) {
  const folder = temporaryFolder()
  const server = await startServer(folder, await freePort(), { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' })
  await createFleet(server, await signIn(server.url), size)
  const browser = await openBrowser()
  const { page } = await openPage(browser, server.url)
  await signInPage(page, ADMIN.login, ADMIN.password)
  await page.waitForURL('**/dashboard/live-view')
  const loads: number[] = []
  for (let round = 0; round < ROUNDS; round++) loads.push(await loaded(page))
  const turns: number[] = []
  for (let round = 0; round < ROUNDS; round++) turns.push(await turned(page))
  for (const [what, times] of [
    ['its address loaded', loads],
    ['by the menu', turns],
  ] as const)
    say(
      `hosts page of ${size}, ${what}, to painted rows, p50 / p95`,
      `${quantile(times, 0.5).toFixed(0)} / ${quantile(times, 0.95).toFixed(0)} ms`,
      `${page.url().slice(server.url.length)}, ${await page.locator('tr[aria-rowindex]').count()} rows in the page`,
    )
  await browser.close()
  await stopServer(server)
  removeFolder(folder)
}
