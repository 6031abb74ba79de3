import { type RouteObject, redirect } from 'react-router'
import { fr } from './fr.ts'

/** Probes, for `probe_write`. */
export const routes: RouteObject[] = [
  {
    path: 'probe',
    children: [
      { index: true, loader: () => redirect('/probe/edit') },
      {
        path: 'edit',
        handle: { title: fr.title, claim: 'probe_write' },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./probe-list-page.tsx')).ProbeListPage }) },
          {
            path: ':id',
            handle: { title: fr.title, claim: 'probe_write' },
            lazy: async () => ({ Component: (await import('./probe-edit-page.tsx')).ProbeEditPage }),
          },
        ],
      },
    ],
  },
]
