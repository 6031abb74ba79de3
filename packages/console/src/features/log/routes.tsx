import type { RouteObject } from 'react-router'
import { ComingLater } from '../../ui/page.tsx'

/** A later version brings this section; until then its pages say so. */
export const routes: RouteObject[] = [
  { path: 'log', handle: { title: 'Log', claim: 'log_read' }, Component: ComingLater },
]
