import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Metrics: consultation for every account, edition for `metric_write`. One metric's page is a section of its own. */
export const routes: RouteObject[] = [
  {
    path: 'metric',
    handle: { title: fr.title },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./metric-list-page.tsx')).MetricListPage }) },
      {
        path: 'edit',
        handle: { title: fr.editTitle, claim: 'metric_write' },
        children: [
          {
            index: true,
            lazy: async () => ({ Component: (await import('./metric-list-page.tsx')).MetricEditListPage }),
          },
          {
            path: 'new',
            handle: { title: fr.newTitle, claim: 'metric_write' },
            lazy: async () => ({ Component: (await import('./metric-new-page.tsx')).MetricNewPage }),
          },
          {
            path: ':id',
            handle: { title: fr.oneTitle, claim: 'metric_write' },
            lazy: async () => ({ Component: (await import('./metric-edit-page.tsx')).MetricEditPage }),
          },
        ],
      },
    ],
  },
]
