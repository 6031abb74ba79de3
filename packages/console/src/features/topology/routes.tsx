import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Under « Statuts »: what equipment hangs on what. */
export const routes = under([LEVELS.dashboards, LEVELS.statuses], {
  path: 'topology',
  handle: { title: fr.title },
  lazy: async () => ({ Component: (await import('./topology-page.tsx')).TopologyPage }),
})
