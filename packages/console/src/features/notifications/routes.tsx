import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'notifications',
    handle: { title: fr.title },
    lazy: async () => ({ Component: (await import('./notifications-page.tsx')).NotificationsPage }),
  },
]
