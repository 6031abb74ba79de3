import type { ImportEntity } from '@narval/contracts'
import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

const CLAIMS = { site: 'site_write', host: 'host_write', metric: 'metric_write' } as const

/** /site/edit/import and its like: one page, under the edition of each section. */
export const routesOf = (entity: ImportEntity): RouteObject[] => [
  {
    path: entity,
    handle: { title: fr.sections[entity] },
    children: [
      {
        path: 'edit',
        handle: { title: fr.edits[entity], claim: CLAIMS[entity] },
        children: [
          {
            path: 'import',
            handle: { title: fr.titles[entity], claim: CLAIMS[entity], wide: true },
            lazy: async () => {
              const { ImportPage } = await import('./import-page.tsx')
              return { Component: () => <ImportPage entity={entity} /> }
            },
          },
        ],
      },
    ],
  },
]
