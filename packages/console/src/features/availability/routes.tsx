import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Availability over a period, under « Statuts ». */
export const routes = under([LEVELS.dashboards, LEVELS.statuses], {
  path: 'availability',
  handle: { title: fr.title },
  children: [
    {
      index: true,
      lazy: async () => ({ Component: (await import('./availability-page.tsx')).AvailabilityPage }),
    },
    {
      path: 'host/:id',
      handle: { title: fr.host },
      lazy: async () => ({ Component: (await import('./host-availability-page.tsx')).HostAvailabilityPage }),
    },
    {
      path: 'metric/:id',
      handle: { title: fr.metric },
      lazy: async () => ({
        Component: (await import('./metric-availability-page.tsx')).MetricAvailabilityPage,
      }),
    },
  ],
})
