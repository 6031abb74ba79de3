import { LEVELS, under } from '../../lib/levels.ts'

/** « Statuts »: what states there were, hour by hour, and are, site by site. */
export const routes = under([LEVELS.dashboards], {
  ...LEVELS.statuses,
  lazy: async () => ({ Component: (await import('./status-page.tsx')).StatusPage }),
})
