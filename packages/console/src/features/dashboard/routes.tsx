import type { RouteObject } from 'react-router'
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
    ],
  },
]
