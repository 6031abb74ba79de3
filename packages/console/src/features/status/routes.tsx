import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** « Statuts »: what states there were, hour by hour, and are, site by site. */
export const routes: RouteObject[] = [
  {
    path: 'dashboard',
    handle: { title: fr.dashboards, link: false },
    children: [
      {
        path: 'status-view',
        handle: { title: fr.title },
        lazy: async () => ({ Component: (await import('./status-page.tsx')).StatusPage }),
      },
    ],
  },
]
