import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Under « Statuts »: what equipment hangs on what. */
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
            path: 'topology',
            handle: { title: fr.title },
            lazy: async () => ({ Component: (await import('./topology-page.tsx')).TopologyPage }),
          },
        ],
      },
    ],
  },
]
