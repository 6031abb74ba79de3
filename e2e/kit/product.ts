import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { openBrowser, openContext, openTab, signInPage, type WatchedPage } from './browser.ts'
import { type ApiClient, type Person, signIn } from './client.ts'
import {
  ADMIN,
  freePort,
  type RunningServer,
  removeFolder,
  startServer,
  stopServer,
  temporaryFolder,
} from './server.ts'

interface OpenOptions {
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
  /** The administrator unless told. */
  readonly person?: Person
  /** In a browser profile of its own, signed in by the form, as on another machine. */
  readonly apart?: boolean
  /** Runs in the tab before it goes anywhere. */
  readonly before?: (page: Page) => Promise<void>
}

/** One server, one browser and a client of the API, for all the tests of a file. */
export interface Product {
  readonly server: RunningServer
  readonly browser: Browser
  /** The administrator's, past his first connection. */
  readonly api: ApiClient
  readonly folder: string
  /**
   * A tab of this person's browser, signed in, at this path. What a test opens is closed when it ends, and must have
   * had no fault by then.
   */
  open(path: string, options?: OpenOptions): Promise<WatchedPage>
  /** Starts the server, which has ended, on its folder and its port again. */
  restart(): Promise<void>
}

interface ProductOptions {
  /** Of the server; it has no local probe unless told. */
  readonly env?: Readonly<Record<string, string>>
  /** False: the administrator's first connection is left to the tests, and so is `api`. */
  readonly signsIn?: boolean
  /** Runs once all is there. */
  readonly prepare?: (product: Product) => Promise<void>
}

const START_MS = 120_000

/** Starts it before the tests of this file, and ends it after them. */
export const useProduct = ({ env = {}, signsIn = true, prepare }: ProductOptions = {}): Product => {
  const folder = temporaryFolder()
  const settings = { NARVAL_LOCAL_PROBE: 'off', ...env }
  const held: { server?: RunningServer; browser?: Browser; api?: ApiClient } = {}
  const tabs = useTabs(() => ({ browser: there(held.browser), url: there(held.server).url }))
  const product: Product = {
    get server() {
      return there(held.server)
    },
    get browser() {
      return there(held.browser)
    },
    api: { token: () => there(held.api).token(), call: (route, input) => there(held.api).call(route, input) },
    folder,
    open: tabs.open,
    async restart() {
      held.server = await startServer(folder, product.server.port, settings)
      held.api = await signIn(product.server.url)
    },
  }
  beforeAll(async () => {
    const [server, browser] = await Promise.all([startServer(folder, await freePort(), settings), openBrowser()])
    Object.assign(held, { server, browser })
    if (signsIn) held.api = await signIn(server.url)
    await prepare?.(product)
  }, START_MS)
  afterAll(async () => {
    await held.browser?.close()
    if (held.server !== undefined) await stopServer(held.server)
    removeFolder(folder)
  })
  return product
}

const there = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the product has not started')
  return value
}

/** Tabs of persons, each with one profile for the file: who is signed in already does not sign in again. */
const useTabs = (place: () => { browser: Browser; url: string }): Pick<Product, 'open'> => {
  const profiles = new Map<string, Promise<BrowserContext>>()
  let opened: (WatchedPage & { readonly end: () => Promise<void> })[] = []
  beforeEach(() => {
    // What was opened for several tests stays.
    opened = []
  })
  afterEach(async () => {
    const faults = opened.flatMap(one => one.faults)
    await Promise.all(opened.map(one => one.end()))
    expect(faults).toEqual([])
  })

  const signedIn = async (person: Person): Promise<BrowserContext> => {
    const { browser, url } = place()
    const context = await openContext(browser, url)
    const { page } = await openTab(context, url)
    await enter(page, person)
    await page.close()
    return context
  }
  const profileOf = (person: Person): Promise<BrowserContext> => {
    const known = profiles.get(person.login) ?? signedIn(person)
    profiles.set(person.login, known)
    // One failure is not that of all who come after.
    known.catch(() => profiles.delete(person.login))
    return known
  }
  return {
    async open(path, { person = ADMIN, dark = false, width = 1440, height = 900, apart = false, before } = {}) {
      const context = await (apart ? signedIn(person) : profileOf(person))
      const tab = await openTab(context, place().url)
      opened.push({ ...tab, end: () => (apart ? context.close() : tab.page.close()) })
      await tab.page.setViewportSize({ width, height })
      await tab.page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      await before?.(tab.page)
      await tab.page.goto(path)
      return tab
    },
  }
}

/** Signs in by the form, and waits for the live view that follows. */
export const enter = async (page: Page, person: Person = ADMIN): Promise<void> => {
  await signInPage(page, person.login, person.password)
  await page.waitForURL('**/dashboard/live-view')
  await page.getByRole('heading', { name: 'Général' }).waitFor()
}
