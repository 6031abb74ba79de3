import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** The way from an empty console to the first host, under the equipment. */
export const routes: RouteObject[] = [
  {
    path: 'host',
    handle: { title: fr.section },
    children: [
      {
        path: 'first',
        handle: { title: fr.title, claim: 'host_write' },
        lazy: async () => ({ Component: (await import('./first-run-page.tsx')).FirstRunPage }),
      },
    ],
  },
]
