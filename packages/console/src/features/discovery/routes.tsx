import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Discovery, under the scanners: seen with `scanner_read`, ranges changed with `scanner_write`, hosts made with `host_write`. */
export const routes: RouteObject[] = [
  {
    path: 'scanner',
    handle: { title: fr.section },
    children: [
      {
        path: 'discovery',
        handle: { title: fr.title, claim: 'scanner_read', wide: true },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./discovery-page.tsx')).DiscoveryPage }) },
          {
            path: 'new',
            handle: { title: fr.newTitle, claim: 'scanner_write' },
            lazy: async () => ({ Component: (await import('./range-edit-page.tsx')).RangeNewPage }),
          },
          {
            path: 'address/:id',
            handle: { title: fr.findingTitle },
            lazy: async () => ({ Component: (await import('./finding-page.tsx')).FindingPage }),
          },
          {
            path: ':id',
            handle: { title: fr.rangeTitle },
            lazy: async () => ({ Component: (await import('./range-edit-page.tsx')).RangeEditPage }),
          },
        ],
      },
    ],
  },
]
