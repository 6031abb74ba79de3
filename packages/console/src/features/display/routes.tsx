import type { RouteObject } from 'react-router'
import { fr } from './fr.ts'

/** Tokens of unattended screens, under « Services Narval ». */
export const routes: RouteObject[] = [
  {
    path: 'system/display',
    handle: { title: fr.title, claim: 'parameter_write' },
    lazy: async () => ({ Component: (await import('./display-page.tsx')).DisplayPage }),
  },
]
