import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Incidents, under the live view whose rows lead to them. */
export const routes = under([LEVELS.dashboards, LEVELS.live], {
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
})
