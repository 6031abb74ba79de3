import { LEVELS, under } from '../../lib/levels.ts'
import { fr } from './fr.ts'

/** Rules and the simulator; channels and deliveries stand beside them, of a section of their own. */
export const routes = under(
  [LEVELS.services, LEVELS.notifications],
  {
    path: 'rule',
    handle: { title: fr.title },
    children: [
      { index: true, lazy: async () => ({ Component: (await import('./rule-list-page.tsx')).RuleListPage }) },
      {
        path: 'new',
        handle: { title: fr.newTitle },
        lazy: async () => ({ Component: (await import('./rule-edit-page.tsx')).RuleNewPage }),
      },
      {
        path: ':id',
        handle: { title: fr.oneTitle },
        lazy: async () => ({ Component: (await import('./rule-edit-page.tsx')).RuleEditPage }),
      },
    ],
  },
  {
    path: 'simulator',
    handle: { title: fr.simulator.title },
    lazy: async () => ({ Component: (await import('./simulator-page.tsx')).SimulatorPage }),
  },
)
