import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

export const routes = under([LEVELS.services], {
  path: 'parameter',
  handle: { title: fr.title, claim: 'parameter_write' },
  children: [
    { index: true, lazy: async () => ({ Component: (await import('./parameter-page.tsx')).CollectPage }) },
    {
      path: 'configuration',
      handle: { title: fr.tabs.configuration },
      lazy: async () => ({ Component: (await import('./parameter-page.tsx')).ConfigurationPage }),
    },
  ],
})
