import { type RouteObject, redirect } from 'react-router'
import { fr } from './fr.ts'

/** Scanners: seen with `scanner_read`, changed with `scanner_write`. */
export const routes: RouteObject[] = [
  {
    path: 'scanner',
    children: [
      { index: true, loader: () => redirect('/scanner/edit') },
      {
        path: 'edit',
        handle: { title: fr.title, claim: 'scanner_read' },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./scanner-list-page.tsx')).ScannerListPage }) },
          {
            path: 'new',
            handle: { title: fr.newTitle, claim: 'scanner_write' },
            lazy: async () => ({ Component: (await import('./scanner-edit-page.tsx')).ScannerNewPage }),
          },
          {
            path: 'ping',
            handle: { title: fr.pings.title, claim: 'scanner_read' },
            lazy: async () => ({ Component: (await import('./ping-list-page.tsx')).PingListPage }),
          },
          {
            path: ':id',
            handle: { title: fr.title, claim: 'scanner_read' },
            lazy: async () => ({ Component: (await import('./scanner-edit-page.tsx')).ScannerEditPage }),
          },
        ],
      },
    ],
  },
]
