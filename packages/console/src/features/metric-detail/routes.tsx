import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'metric',
    handle: { title: fr.section },
    children: [
      {
        path: 'graph',
        handle: { title: fr.graph.title },
        lazy: async () => ({ Component: (await import('./graph-page.tsx')).GraphPage }),
      },
      {
        path: ':id',
        handle: { title: fr.title },
        lazy: async () => ({ Component: (await import('./metric-page.tsx')).MetricPage }),
      },
    ],
  },
]
