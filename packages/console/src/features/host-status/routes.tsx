import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** « Équipements » among the dashboards: every host at a glance. */
export const routes: RouteObject[] = [
  {
    path: 'dashboard',
    handle: { title: fr.dashboards, link: false },
    children: [
      {
        path: 'host-status',
        handle: { title: fr.title },
        lazy: async () => ({ Component: (await import('./host-status-page.tsx')).HostStatusPage }),
      },
    ],
  },
]
