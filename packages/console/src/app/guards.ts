import { HOME_PAGES } from '@narval/contracts'
import { redirect } from 'react-router'
import { forgetReturn, keepReturn, keptReturn } from '../lib/return-path.ts'
import { session } from '../lib/session.ts'

const DEFAULT_HOME = HOME_PAGES[0]

/** The account's home page (spec §2: dashboard/live-view unless it chose another). */
export const homePage = (): string => {
  const chosen = session.state().user?.homePage
  return HOME_PAGES.find(page => page === chosen) ?? DEFAULT_HOME
}

/** The main guard of spec §6. */
export const requireSession = async ({ request }: { readonly request: Request }): Promise<null> => {
  await session.start()
  if (!session.check()) {
    keepReturn(placeOf(request.url))
    throw redirect('/login')
  }
  if (session.state().user?.firstConnection) throw redirect('/password-reset')
  forgetReturn()
  return null
}

/** A request bears no anchor; that of the page being opened stands in the address. */
const placeOf = (requested: string): URL => {
  const url = new URL(requested)
  if (url.pathname === location.pathname && url.search === location.search) url.hash = location.hash
  return url
}

/** The sign-in page is for those who are not signed in; who has signed in goes on where that was asked. */
export const leaveWhenSignedIn = async (): Promise<null> => {
  await session.start()
  if (session.state().phase !== 'signedIn' || !session.check()) return null
  throw redirect(session.state().user?.firstConnection ? '/password-reset' : (keptReturn() ?? homePage()))
}

/** The reset page needs a session, also on a first connection. */
export const requireToken = async (): Promise<null> => {
  await session.start()
  if (!session.check()) throw redirect('/login')
  return null
}

/** The empty path and /home lead to the account's home page (spec §2). */
export const goHome = async (asked: { readonly request: Request }): Promise<never> => {
  await requireSession(asked)
  throw redirect(homePage())
}
