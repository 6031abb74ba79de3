import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

const claim = 'custom_field_write'

/** « Champs dynamiques »: definitions, groups, privileges, preview; a definition's form has an address of its own. */
export const routes: RouteObject[] = [
  {
    path: 'customfield/edit',
    handle: { title: fr.title, claim },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./custom-field-page.tsx')).CustomFieldPage }) },
      {
        path: 'new',
        handle: { title: fr.newTitle, claim },
        lazy: async () => ({ Component: (await import('./definition-edit-page.tsx')).DefinitionNewPage }),
      },
      {
        path: ':id',
        handle: { title: fr.oneTitle, claim },
        lazy: async () => ({ Component: (await import('./definition-edit-page.tsx')).DefinitionEditPage }),
      },
    ],
  },
]
