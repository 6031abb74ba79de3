import type { RouteObject } from 'react-router'
import { ComingLater } from '../../ui/page.tsx'
import { fr } from './fr.ts'

/** One's own account; accounts and groups come with a later version, and say so. */
export const routes: RouteObject[] = [
  {
    path: 'user/myaccount',
    handle: { title: fr.myAccount },
    lazy: async () => ({ Component: (await import('./my-account-page.tsx')).MyAccountPage }),
  },
  { path: 'user/edit', handle: { title: fr.accounts, claim: 'user_read' }, Component: ComingLater },
  { path: 'user/group', handle: { title: fr.groups, claim: 'user_group_read' }, Component: ComingLater },
]
