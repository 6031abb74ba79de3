import { type Browser, chromium, type Page } from 'playwright-core'

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
  chromium.launch({ executablePath: process.env.NARVAL_TEST_BROWSER ?? '/usr/bin/chromium', args: FLAGS })

export interface WatchedPage {
  readonly page: Page
  /** Errors of the console, of scripts and of the content policy, and requests to other hosts: all must stay empty. */
  readonly faults: string[]
}

export const openPage = async (
  browser: Browser,
  url: string,
  options: { dark?: boolean; width?: number; height?: number } = {},
): Promise<WatchedPage> => {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    colorScheme: options.dark === true ? 'dark' : 'light',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(`script: ${error.message}`))
  page.on('console', message => {
    // A refused call is logged by the browser itself; the test that provokes it looks at what is shown.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith(url) && !/^(data|blob|ws):/.test(request.url()))
      faults.push(`request: ${request.url()}`)
  })
  return { page, faults }
}

export const signInPage = async (page: Page, login: string, password: string): Promise<void> => {
  await page.goto('/login')
  await page.getByPlaceholder('Nom de compte').fill(login)
  await page.getByPlaceholder('Mot de passe').fill(password)
  await page.getByRole('button', { name: 'Connexion' }).click()
}
