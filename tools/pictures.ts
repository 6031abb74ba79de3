import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardRoutes, probeRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { faultsOf } from '../e2e/kit/accessibility.ts'
import { openBrowser, openPage, signInPage } from '../e2e/kit/browser.ts'
import { signIn } from '../e2e/kit/client.ts'
import { screensOf } from '../e2e/kit/screens.ts'
import { ADMIN, freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { readGuide } from '../packages/console/guide/read-guide.ts'
import { findBrowser } from './browser.ts'
import { ACTS, actOnProblems, setScene, startReceiver } from './picture-scene.ts'

/**
 * `npm run pictures -- folder [screen …]`: every screen of the console, or those named, with the demonstration's fleet as its
 * own probe measures it, light and dark, 1,440 and 390 px wide. Without a folder: those that the guide's pages name, light and
 * dark, into docs/images/guide; what no page names any more is removed there.
 * Says what axe-core finds of weight on each, and ends with 1 when there is anything.
 */
const GUIDE = fileURLToPath(new URL('../docs/images/guide', import.meta.url))
const LOOKS = [
  { width: 1440, height: 900, dark: false },
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, dark: false },
  { width: 390, height: 844, dark: true },
] as const
/** Narrower than a screen: in a page of the guide they are shown at half their size. */
const GUIDE_LOOKS = [
  { width: 1280, height: 800, dark: false },
  { width: 1280, height: 800, dark: true },
] as const
const WEBP_QUALITY = 0.82
/** Results of a few minutes, so that charts have a curve and something is confirmed. */
const MEASURE_MS = Number(process.env.NARVAL_PICTURES_SECONDS ?? 150) * 1_000

const [given, ...named] = process.argv.slice(2)
const faults: string[] = []
/** Alerts come while pictures are taken: over a page of the guide they would hide what it speaks of. A sheet that the policy of the console lets through. */
const hideAlerts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.mantine-Notification-root { display: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
/** The same picture as WebP: a third of the PNG's weight. A page that no policy binds draws it. */
const toWebp = async (png: Buffer): Promise<Buffer> => {
  const page = await (await browser.newContext()).newPage()
  const encoded = await page.evaluate(
    async ({ source, quality }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', quality).replace(/^.*,/, '')
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, quality: WEBP_QUALITY },
  )
  await page.context().close()
  return Buffer.from(encoded, 'base64')
}
const shoot = async (page: Page, path: string, file: string): Promise<void> => {
  await page.goto(path)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('.mantine-Loader-root').first().waitFor({ state: 'hidden' })
  if (given === undefined) {
    await ACTS[basename(file).replace(/(-sombre)?\.webp$/, '')]?.(page)
    await hideAlerts(page)
  }
  await sleep(300)
  const picture = await page.screenshot({ animations: 'disabled' })
  writeFileSync(file, file.endsWith('.webp') ? await toWebp(picture) : picture)
  faults.push(...(await faultsOf(page)).map(fault => `${file}: ${fault}`))
}

/** Names of the pictures that the guide's pages show. */
const namedByGuide = (): string[] => {
  const { pages } = readGuide(fileURLToPath(new URL('../docs/guide', import.meta.url)), GUIDE)
  const paths = [...pages.values()].flatMap(page => page.pictures.map(({ to }) => to))
  return [...new Set(paths.map(path => path.replace(/^images\//, '').replace(/\.webp$/, '')))]
}

const folder = given ?? GUIDE
const wanted = given === undefined ? namedByGuide() : named
const looks = given === undefined ? GUIDE_LOOKS : LOOKS
mkdirSync(folder, { recursive: true })
process.env.NARVAL_TEST_BROWSER ??= findBrowser()

const data = temporaryFolder()
const receiver = await startReceiver()
// The guide shows a fleet that fits its pictures: what is larger is folded.
const size: Record<string, string> = given === undefined ? { NARVAL_DEMO_HOSTS: '240' } : {}
const server = await startServer(data, await freePort(), { NARVAL_DEMO: 'on', NARVAL_LOG: 'error', ...size })
const api = await signIn(server.url)
if (given === undefined) {
  while (!(await api.call(probeRoutes.list)).some(({ state }) => state === 'online')) await sleep(1_000)
  await setScene(api, receiver.url)
}
const startedMs = Date.now()
const isReady = async (): Promise<boolean> =>
  Date.now() - startedMs > MEASURE_MS &&
  (await api.call(dashboardRoutes.datatable.put, { body: { filters: { view: 'problems' } } })).data.some(
    ({ incidentId }) => incidentId !== null,
  )
while (!(await isReady())) await sleep(2_000)

if (given === undefined) await actOnProblems(api)
const screens = await screensOf(api)
const browser = await openBrowser()
for (const { width, height, dark } of looks) {
  const { page } = await openPage(browser, server.url, { width, height, dark })
  await signInPage(page, ADMIN.login, ADMIN.password)
  await page.waitForURL('**/dashboard/live-view')
  const theme = dark ? 'sombre' : 'clair'
  const end = given === undefined ? `${dark ? '-sombre' : ''}.webp` : `-${width}-${theme}.png`
  for (const { name, path } of screens)
    if (wanted.length === 0 || wanted.includes(name)) await shoot(page, path, join(folder, `${name}${end}`))
  await page.context().close()
}
await browser.close()
await stopServer(server)
receiver.server.close()
removeFolder(data)
if (given === undefined)
  for (const file of readdirSync(folder))
    if (!wanted.includes(file.replace(/(-sombre)?\.webp$/, ''))) rmSync(join(folder, file))
for (const name of wanted.filter(one => !screens.some(screen => screen.name === one)))
  faults.push(`${name} : aucun écran de ce nom (e2e/kit/screens.ts)`)
for (const fault of faults) console.log(fault)
console.log(`${folder} : images prises, ${faults.length} défauts`)
process.exitCode = faults.length > 0 ? 1 : 0
