import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Equipment: consultation for every account, edition for `host_write`. One host's page is a section of its own. */
export const routes: RouteObject[] = [
  {
    path: 'host',
    handle: { title: fr.title },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./host-list-page.tsx')).HostListPage }) },
      {
        path: 'edit',
        handle: { title: fr.editTitle, claim: 'host_write' },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./host-list-page.tsx')).HostEditListPage }) },
          {
            path: 'new',
            handle: { title: fr.newTitle, claim: 'host_write' },
            lazy: async () => ({ Component: (await import('./host-edit-page.tsx')).HostNewPage }),
          },
          {
            path: 'type',
            handle: { title: fr.catalogue.title, claim: 'host_write', wide: true },
            lazy: async () => ({ Component: (await import('./host-catalogue-page.tsx')).HostCataloguePage }),
          },
          {
            path: ':id',
            handle: { title: fr.oneTitle, claim: 'host_write' },
            lazy: async () => ({ Component: (await import('./host-edit-page.tsx')).HostEditPage }),
          },
        ],
      },
    ],
  },
]
