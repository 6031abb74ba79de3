import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { faultsOf } from '../e2e/kit/accessibility.ts'
import { openBrowser, openPage, signInPage } from '../e2e/kit/browser.ts'
import { signIn } from '../e2e/kit/client.ts'
import { screensOf } from '../e2e/kit/screens.ts'
import { ADMIN, freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { findBrowser } from './browser.ts'

/**
 * `npm run pictures -- folder [screen …]`: every screen of the console, or those named, with the demonstration's fleet as its
 * own probe measures it, light and dark, 1,440 and 390 px wide. Without a folder: those that the guide shows, into docs/images/guide.
 * Says what axe-core finds of weight on each, and ends with 1 when there is anything.
 */
const GUIDE = 'docs/images/guide'
const SHOWN_BY_GUIDE: readonly string[] = [
  ...['general', 'incident', 'statuts', 'disponibilite', 'carte', 'topologie', 'equipements-grille', 'mur'],
  ...['metrique', 'equipement', 'maintenances', 'regles', 'simulateur', 'parametres', 'journal'],
]
const LOOKS = [
  { width: 1440, height: 900, dark: false },
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, dark: false },
  { width: 390, height: 844, dark: true },
] as const
/** Results of a few minutes, so that charts have a curve and something is confirmed. */
const MEASURE_MS = Number(process.env.NARVAL_PICTURES_SECONDS ?? 150) * 1_000

const [given, ...named] = process.argv.slice(2)
const faults: string[] = []
/** Alerts come while pictures are taken: over a page of the guide they would hide what it speaks of. */
const WITHOUT_ALERTS = '.mantine-Notification-root { display: none }'

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const shoot = async (page: Page, path: string, file: string): Promise<void> => {
  await page.goto(path)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.mantine-Loader-root').first().waitFor({ state: 'hidden' })
  await sleep(300)
  await page.screenshot({ path: file, animations: 'disabled', ...(given === undefined && { style: WITHOUT_ALERTS }) })
  faults.push(...(await faultsOf(page)).map(fault => `${file}: ${fault}`))
}

const folder = given ?? GUIDE
const wanted = given === undefined ? SHOWN_BY_GUIDE : named
const looks = given === undefined ? LOOKS.slice(0, 1) : LOOKS
mkdirSync(folder, { recursive: true })
process.env.NARVAL_TEST_BROWSER ??= findBrowser()

const data = temporaryFolder()
const server = await startServer(data, await freePort(), { NARVAL_DEMO: 'on', NARVAL_LOG: 'error' })
const api = await signIn(server.url)
const startedMs = Date.now()
const isReady = async (): Promise<boolean> =>
  Date.now() - startedMs > MEASURE_MS &&
  (await api.call(dashboardRoutes.datatable.put, { body: { filters: { view: 'problems' } } })).data.some(
    ({ incidentId }) => incidentId !== null,
  )
while (!(await isReady())) await sleep(2_000)

const screens = await screensOf(api)
const browser = await openBrowser()
for (const { width, height, dark } of looks) {
  const { page } = await openPage(browser, server.url, { width, height, dark })
  await signInPage(page, ADMIN.login, ADMIN.password)
  await page.waitForURL('**/dashboard/live-view')
  const suffix = given === undefined ? '' : `-${width}-${dark ? 'sombre' : 'clair'}`
  for (const { name, path } of screens)
    if (wanted.length === 0 || wanted.includes(name)) await shoot(page, path, join(folder, `${name}${suffix}.png`))
  await page.context().close()
}
await browser.close()
await stopServer(server)
removeFolder(data)
for (const fault of faults) console.log(fault)
console.log(`${folder} : images prises, ${faults.length} défauts`)
process.exitCode = faults.length > 0 ? 1 : 0
