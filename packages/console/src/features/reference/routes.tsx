import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** The one page under the API's own addresses: the server sends the console there. */
export const routes: RouteObject[] = [
  {
    path: 'api/docs',
    handle: { title: fr.title },
    lazy: async () => ({ Component: (await import('./reference-page.tsx')).ReferencePage }),
  },
]
