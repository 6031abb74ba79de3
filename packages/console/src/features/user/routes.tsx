import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** One's own account; the others', and groups, are a section of their own. */
export const routes: RouteObject[] = [
  {
    path: 'user/myaccount',
    handle: { title: fr.myAccount },
    lazy: async () => ({ Component: (await import('./my-account-page.tsx')).MyAccountPage }),
  },
]
