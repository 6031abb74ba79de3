import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Incidents, under the live view whose rows lead to them. */
export const routes: RouteObject[] = [
  {
    path: 'dashboard',
    handle: { title: fr.dashboards, link: false },
    children: [
      {
        path: 'live-view',
        handle: { title: fr.liveView },
        children: [
          {
            path: 'incident',
            handle: { title: fr.listTitle },
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('./incident-list-page.tsx')).IncidentListPage }),
              },
              {
                path: ':id',
                handle: { title: fr.title },
                lazy: async () => ({ Component: (await import('./incident-page.tsx')).IncidentPage }),
              },
            ],
          },
        ],
      },
    ],
  },
]
