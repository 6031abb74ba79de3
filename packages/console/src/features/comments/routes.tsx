import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'
import { fr as book } from './log-book-fr.ts'

export const routes: RouteObject[] = [
  {
    path: 'comments',
    handle: { title: fr.title },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./comments-page.tsx')).CommentsPage }) },
      {
        path: 'log-book',
        handle: { title: book.title },
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./log-book-page.tsx')).LogBookPage }) },
          {
            path: 'handover',
            handle: { title: book.handovers },
            children: [
              {
                index: true,
                lazy: async () => ({ Component: (await import('./handover-list-page.tsx')).HandoverListPage }),
              },
              {
                path: 'new',
                handle: { title: book.newHandover, claim: 'incident_write' },
                lazy: async () => ({ Component: (await import('./handover-new-page.tsx')).HandoverNewPage }),
              },
              {
                path: ':id',
                handle: { title: book.handover },
                lazy: async () => ({ Component: (await import('./handover-page.tsx')).HandoverPage }),
              },
            ],
          },
        ],
      },
    ],
  },
]
