import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Under « Statuts »: the sites on a map. */
export const routes: RouteObject[] = [
  {
    path: 'dashboard',
    handle: { title: fr.dashboards, link: false },
    children: [
      {
        path: 'status-view',
        handle: { title: fr.status },
        children: [
          {
            path: 'map',
            handle: { title: fr.title },
            lazy: async () => ({ Component: (await import('./map-page.tsx')).MapPage }),
          },
        ],
      },
    ],
  },
]
