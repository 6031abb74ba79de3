import { internalLink } from './safe-link.ts'

/** In session storage: the tab's own, gone with it. It holds a path of the console and nothing else. */
const KEY = 'returnTo'
const MAX_LENGTH = 2_000
/** Nobody is led back to these. */
const SIGN_IN_PAGES = ['/login', '/password-reset']

/** A path of this origin as it may be gone to, or null (S27): never another host, another protocol, or a sign-in page. */
export const safeReturn = (path: string | null, origin: string): string | null => {
  if (path === null || path.length > MAX_LENGTH || internalLink(path) === null) return null
  try {
    const url = new URL(path, origin)
    if (url.origin !== origin || SIGN_IN_PAGES.includes(url.pathname)) return null
    // What the browser makes of it must be such a path as well: « /..//evil » is not.
    return internalLink(`${url.pathname}${url.search}${url.hash}`)
  } catch {
    return null
  }
}

interface Place {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/** Where a session was missing, or ended by itself: there it goes on after the next sign-in of this tab. */
export const keepReturn = ({ pathname, search, hash }: Place): void => {
  const path = safeReturn(`${pathname}${search}${hash}`, location.origin)
  if (path !== null) sessionStorage.setItem(KEY, path)
}
export const keptReturn = (): string | null => safeReturn(sessionStorage.getItem(KEY), location.origin)
export const forgetReturn = (): void => sessionStorage.removeItem(KEY)
