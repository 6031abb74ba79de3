import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Under « Statuts »: the sites on a map. */
export const routes = under([LEVELS.dashboards, LEVELS.statuses], {
  path: 'map',
  handle: { title: fr.title },
  lazy: async () => ({ Component: (await import('./map-page.tsx')).MapPage }),
})
