import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** « Équipements » among the dashboards: every host at a glance. */
export const routes = under([LEVELS.dashboards], {
  path: 'host-status',
  handle: { title: fr.title },
  lazy: async () => ({ Component: (await import('./host-status-page.tsx')).HostStatusPage }),
})
