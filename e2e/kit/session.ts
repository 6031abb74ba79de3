import type { BrowserContext, Page, Request } from 'playwright-core'
import { openContext, openTab, type WatchedPage } from './browser.ts'
import type { Product } from './product.ts'

export const REFRESH = '/api/Authentication/Refresh'
export const LOGOUT = '/api/Authentication/Logout'
export const LIVE_VIEW = '/dashboard/live-view'

/** Keys of the local storage. */
export const SIGNED_OUT_KEYS = ['uuid', 'version']
export const SIGNED_IN_KEYS = ['jwt', 'refreshToken', 'user', 'uuid', 'version']

/** A tab that nobody is signed in on; without a profile, in one of its own. */
export const newTab = async ({ browser, server }: Product, context?: BrowserContext): Promise<WatchedPage> =>
  openTab(context ?? (await openContext(browser, server.url)), server.url)

export const signedOut = (page: Page): Promise<void> => page.getByPlaceholder('Nom de compte').waitFor()
export const keys = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage).toSorted())
export const item = (page: Page, key: string): Promise<string | null> =>
  page.evaluate(name => localStorage.getItem(name), key)
export const pathOf = (request: Request): string => new URL(request.url()).pathname

/** A session that ends while a hub is being joined is a connection that fails, and the browser says which way. */
const HUB_CUT =
  /^console: WebSocket connection to .*(HTTP Authentication failed|closed before the connection is established)/
/** Faults of a page but those. */
export const settled = (faults: readonly string[]): string[] => faults.filter(fault => !HUB_CUT.test(fault))
