import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Monitoring models, under the equipment: seen with `scanner_read`, changed with `host_write`. */
export const routes: RouteObject[] = [
  {
    path: 'host',
    handle: { title: fr.hostSection },
    children: [
      {
        path: 'model',
        handle: { title: fr.title, claim: 'scanner_read' },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./model-list-page.tsx')).ModelListPage }) },
          {
            path: 'new',
            handle: { title: fr.newTitle, claim: 'host_write', wide: true },
            lazy: async () => ({ Component: (await import('./model-edit-page.tsx')).ModelNewPage }),
          },
          {
            path: ':id',
            handle: { title: fr.oneTitle },
            lazy: async () => ({ Component: (await import('./model-edit-page.tsx')).ModelEditPage }),
          },
        ],
      },
    ],
  },
]
