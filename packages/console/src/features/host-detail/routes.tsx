import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'host',
    handle: { title: fr.section },
    children: [
      {
        path: ':id',
        handle: { title: fr.title },
        lazy: async () => ({ Component: (await import('./host-page.tsx')).HostPage }),
      },
    ],
  },
]
