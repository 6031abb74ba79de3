import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'metric/:id',
    handle: { title: fr.title },
    lazy: async () => ({ Component: (await import('./metric-page.tsx')).MetricPage }),
  },
]
