import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Maintenances, under the live view. */
export const routes = under([LEVELS.dashboards, LEVELS.live], {
  path: 'maintenance',
  handle: { title: fr.title },
  children: [
    {
      index: true,
      lazy: async () => ({ Component: (await import('./maintenance-page.tsx')).MaintenancePage }),
    },
    {
      path: 'new',
      handle: { title: fr.newTitle },
      lazy: async () => ({ Component: (await import('./maintenance-edit-page.tsx')).NewMaintenancePage }),
    },
    {
      path: ':id',
      handle: { title: fr.one },
      lazy: async () => ({
        Component: (await import('./maintenance-detail-page.tsx')).MaintenanceDetailPage,
      }),
    },
    {
      path: ':id/edit',
      handle: { title: fr.editTitle },
      lazy: async () => ({ Component: (await import('./maintenance-edit-page.tsx')).EditMaintenancePage }),
    },
  ],
})
