import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'log',
    handle: { title: fr.title, claim: 'log_read' },
    lazy: async () => ({ Component: (await import('./log-page.tsx')).LogPage }),
  },
]
