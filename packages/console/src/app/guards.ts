import { HOME_PAGES } from '@narval/contracts'
import { redirect } from 'react-router'
import { session } from '../lib/session.ts'

const DEFAULT_HOME = HOME_PAGES[0]

/** The account's home page (spec §2: dashboard/live-view unless it chose another). */
export const homePage = (): string => {
  const chosen = session.state().user?.homePage
  return HOME_PAGES.find(page => page === chosen) ?? DEFAULT_HOME
}

/** The main guard of spec §6. */
export const requireSession = async (): Promise<null> => {
  await session.start()
  if (!session.check()) throw redirect('/login')
  if (session.state().user?.firstConnection) throw redirect('/password-reset')
  return null
}

/** The sign-in page is for those who are not signed in. */
export const leaveWhenSignedIn = async (): Promise<null> => {
  await session.start()
  if (session.state().phase !== 'signedIn' || !session.check()) return null
  throw redirect(session.state().user?.firstConnection ? '/password-reset' : homePage())
}

/** The reset page needs a session, also on a first connection. */
export const requireToken = async (): Promise<null> => {
  await session.start()
  if (!session.check()) throw redirect('/login')
  return null
}

/** The empty path and /home lead to the account's home page (spec §2). */
export const goHome = async (): Promise<never> => {
  await requireSession()
  throw redirect(homePage())
}
