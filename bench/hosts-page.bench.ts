import { openBrowser, openPage, signInPage } from '../e2e/kit/browser.ts'
import { signIn } from '../e2e/kit/client.ts'
import { ADMIN, freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { say } from './kit.ts'
import { createFleet } from './kit-fleet.ts'
import { loaded, pair, rounds, turned } from './kit-paint.ts'

/**
 * The page of equipment in Chromium, with 1,000 and 10,000 hosts: from the navigation to the frame in which rows are
 * painted by its address and by the menu. The console must have been built.
 */
const SIZES = [1_000, 10_000]
const ROUNDS = 10
const PATH = '/host'

for (const size of SIZES) {
  const folder = temporaryFolder()
  const server = await startServer(folder, await freePort(), { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' })
  await createFleet(server, await signIn(server.url), size)
  const browser = await openBrowser()
  const { page } = await openPage(browser, server.url)
  await signInPage(page, ADMIN.login, ADMIN.password)
  await page.waitForURL('**/dashboard/live-view')
  for (const [what, work] of [
    ['its address loaded', () => loaded(page, PATH)],
    ['by the menu', () => turned(page, PATH, '/dashboard/live-view')],
  ] as const)
    say(
      `hosts page of ${size}, ${what}, to painted rows, p50 / p95`,
      pair(await rounds(ROUNDS, work)),
      `${page.url().slice(server.url.length)}, ${await page.locator('tr[aria-rowindex]').count()} rows in the page`,
    )
  await browser.close()
  await stopServer(server)
  removeFolder(folder)
}
