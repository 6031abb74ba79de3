import type { RouteObject } from 'react-router'
import { ComingLater } from '../../ui/page.tsx'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'dashboard',
    handle: { title: fr.groupTitle, link: false },
    children: [
      {
        path: 'live-view',
        handle: { title: fr.title },
        lazy: async () => ({ Component: (await import('./live-view-page.tsx')).LiveViewPage }),
      },
      {
        path: 'host-status',
        handle: { title: fr.hostStatus },
        element: <ComingLater>{fr.hostStatusLater}</ComingLater>,
      },
    ],
  },
]
