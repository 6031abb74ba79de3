import type { RouteObject } from 'react-router'
import { ComingLater } from '../../ui/page.tsx'

/** A later version brings this section; until then its pages say so. */
export const routes: RouteObject[] = [
  {
    path: 'customfield/edit',
    handle: { title: 'Champs dynamiques', claim: 'custom_field_write' },
    Component: ComingLater,
  },
]
