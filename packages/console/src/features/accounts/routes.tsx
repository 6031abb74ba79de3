import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Accounts and their groups: to look at with the claims that read, to change with those that write. */
export const routes: RouteObject[] = [
  {
    path: 'user/edit',
    handle: { title: fr.accounts, claim: 'user_read' },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./account-list-page.tsx')).AccountListPage }) },
      {
        path: 'new',
        handle: { title: fr.newAccount, claim: 'user_write' },
        lazy: async () => ({ Component: (await import('./account-edit-page.tsx')).AccountNewPage }),
      },
      {
        path: ':id',
        handle: { title: fr.oneAccount, claim: 'user_read' },
        lazy: async () => ({ Component: (await import('./account-edit-page.tsx')).AccountEditPage }),
      },
    ],
  },
  {
    path: 'user/group',
    handle: { title: fr.groups, claim: 'user_group_read' },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./group-list-page.tsx')).GroupListPage }) },
      {
        path: 'new',
        handle: { title: fr.newGroup, claim: 'user_group_write' },
        lazy: async () => ({ Component: (await import('./group-edit-page.tsx')).GroupNewPage }),
      },
      {
        path: ':id',
        handle: { title: fr.oneGroup, claim: 'user_group_read' },
        lazy: async () => ({ Component: (await import('./group-edit-page.tsx')).GroupEditPage }),
      },
    ],
  },
]
