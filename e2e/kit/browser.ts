import { type Browser, type BrowserContext, chromium, type Page, type Route, type WebSocket } from 'playwright-core'
import { findBrowser } from '../../tools/browser.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.NARVAL_TEST_BROWSER ?? findBrowser(), args: FLAGS })

/** How long hubs may take to answer. */
const SETTLE_MS = 30_000

export interface WatchedPage {
  readonly page: Page
  /** Errors of the console, of scripts and of the content policy, and requests to other hosts: all must stay empty. */
  readonly faults: string[]
  /**
   * Resolves once nothing is asked for any more and each hub is joined: who leaves earlier has the browser complain of it, and
   * what is pushed earlier is not heard.
   */
  settle(): Promise<void>
}

interface ContextOptions {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

/** Runs in each page: what the content policy refused is said on the console, where `openTab` hears it. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', event =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`

/** A browser profile of its own: its storage, its cookies, its tabs. */
export const openContext = async (
  browser: Browser,
  url: string,
  options: ContextOptions = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    colorScheme: options.dark === true ? 'dark' : 'light',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
  })
  await context.addInitScript(TELL_VIOLATIONS)
  return context
}

/** One more tab of a profile. */
export const openTab = async (context: BrowserContext, url: string): Promise<WatchedPage> => {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(`script: ${error.message}`))
  page.on('console', message => {
    // A refused call is logged by the browser itself; the test that provokes it looks at what is shown.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith(`${url}/`) && !/^(data|blob):/.test(request.url()))
      faults.push(`request: ${request.url()}`)
  })
  const joining = new Set<WebSocket>()
  // Those of the page before are said to be closed by nobody.
  page.on('domcontentloaded', () => joining.clear())
  page.on('websocket', socket => {
    joining.add(socket)
    socket.on('framereceived', ({ payload }) => {
      // The answer to the first that it is asked for, which is to join.
      if (payload.includes('"type":3')) joining.delete(socket)
    })
    socket.once('close', () => joining.delete(socket))
    if (!socket.url().startsWith(`${url.replace(/^http/, 'ws')}/`)) faults.push(`websocket: ${socket.url()}`)
  })
  const settle = async (): Promise<void> => {
    await page.waitForLoadState('networkidle')
    for (const deadline = performance.now() + SETTLE_MS; joining.size > 0; await page.waitForTimeout(50)) {
      if (performance.now() > deadline) throw new Error(`no answer of ${[...joining].map(one => one.url())}`)
    }
  }
  return { page, faults, settle }
}

export const openPage = async (browser: Browser, url: string, options: ContextOptions = {}): Promise<WatchedPage> =>
  openTab(await openContext(browser, url, options), url)

export const signInPage = async (page: Page, login: string, password: string): Promise<void> => {
  await page.goto('/login')
  await page.getByPlaceholder('Nom de compte').fill(login)
  await page.getByPlaceholder('Mot de passe').fill(password)
  await page.getByRole('button', { name: 'Connexion' }).click()
}

/** Holds the next call whose path, with its query, begins so; the answer lets it pass. */
export const holdBack = async (page: Page, path: string): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const pass = async (route: Route): Promise<void> => {
    await promise
    await route.continue()
  }
  await page.route(url => `${url.pathname}${url.search}`.startsWith(path), pass, { times: 1 })
  return resolve
}
