import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'system',
    handle: { title: fr.title, claim: 'service_read' },
    lazy: async () => ({ Component: (await import('./services-page.tsx')).ServicesPage }),
  },
]
