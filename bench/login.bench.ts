import { openBrowser } from '../e2e/kit/browser.ts'
import { freePort, removeFolder, startServer, stopServer, temporaryFolder } from '../e2e/kit/server.ts'
import { quantile, say } from './kit.ts'

/** The first visit of the sign-in page, nothing kept from before: what crosses the network, and when something is seen. */
const VISITS = 15

const folder = temporaryFolder()
const server = await startServer(folder, await freePort(), { NARVAL_LOCAL_PROBE: 'off', NARVAL_LOG: 'error' })
const browser = await openBrowser()
const [bytes, paints, usable]: [number[], number[], number[]] = [[], [], []]
let requests = 0
for (let visit = 0; visit < VISITS; visit++) {
  const context = await browser.newContext({ locale: 'fr-FR' })
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  let received = 0
  let count = 0
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received += encodedDataLength
    count += 1
  })
  await page.goto(`${server.url}/login`)
  await page.getByPlaceholder('Nom de compte').waitFor()
  usable.push(await page.evaluate(() => performance.now()))
  await page.waitForLoadState('networkidle')
  paints.push(
    await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
  )
  bytes.push(received)
  requests = count
  await context.close()
}
say(
  'sign-in page, first visit: bytes received',
  `${(quantile(bytes, 0.5) / 1_000).toFixed(1)} kB`,
  `${requests} requests; the limit of the build is 200 kB`,
)
say(
  '  first contentful paint, p50 / worst',
  `${quantile(paints, 0.5).toFixed(0)} ms`,
  `${Math.max(...paints).toFixed(0)} ms`,
)
say('  ready to type, p50 / worst', `${quantile(usable, 0.5).toFixed(0)} ms`, `${Math.max(...usable).toFixed(0)} ms`)
await browser.close()
await stopServer(server)
removeFolder(folder)
