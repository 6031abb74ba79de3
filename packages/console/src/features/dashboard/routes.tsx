import { LEVELS, under } from '../../lib/levels.ts'

export const routes = under([LEVELS.dashboards], {
  ...LEVELS.live,
  lazy: async () => ({ Component: (await import('./live-view-page.tsx')).LiveViewPage }),
})
