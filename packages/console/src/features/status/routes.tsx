import type { RouteObject } from 'react-router'
import { ComingLater } from '../../ui/page.tsx'
import { StatusViewTabs } from '../../ui/status-view-tabs.tsx'
import { fr } from './fr.ts'

/** « Statuts »: what states there were, hour by hour, and are, site by site. */
export const routes: RouteObject[] = [
  {
    path: 'dashboard',
    handle: { title: fr.dashboards, link: false },
    children: [
      {
        path: 'status-view',
        handle: { title: fr.title },
        element: (
          <>
            <StatusViewTabs current="hours" />
            <ComingLater>{fr.later}</ComingLater>
          </>
        ),
      },
    ],
  },
]
