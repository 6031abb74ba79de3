import type { RouteObject } from 'react-router'
import { ServicesPage } from './services-page.tsx'

/** A later version brings this section; until then its pages say so. */
export const routes: RouteObject[] = [
  { path: 'system', handle: { title: 'Services Narval', claim: 'service_read' }, Component: ServicesPage },
]
