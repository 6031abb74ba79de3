import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Sites: consultation for every account, edition for `site_write`. */
export const routes: RouteObject[] = [
  {
    path: 'site',
    handle: { title: fr.title },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./site-list-page.tsx')).SiteListPage }) },
      {
        path: 'edit',
        handle: { title: fr.editTitle, claim: 'site_write' },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./site-list-page.tsx')).SiteEditListPage }) },
          {
            path: 'new',
            handle: { title: fr.newTitle, claim: 'site_write' },
            lazy: async () => ({ Component: (await import('./site-edit-page.tsx')).SiteNewPage }),
          },
          {
            path: 'type',
            handle: { title: fr.types.title, claim: 'site_write', wide: true },
            lazy: async () => ({ Component: (await import('./site-types-page.tsx')).SiteTypesPage }),
          },
          {
            path: ':id',
            handle: { title: fr.oneTitle, claim: 'site_write' },
            lazy: async () => ({ Component: (await import('./site-edit-page.tsx')).SiteEditPage }),
          },
        ],
      },
      {
        path: ':id',
        handle: { title: fr.oneTitle },
        lazy: async () => ({ Component: (await import('./site-page.tsx')).SitePage }),
      },
    ],
  },
]
