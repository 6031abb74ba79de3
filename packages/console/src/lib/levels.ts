import type { RouteObject } from 'react-router'
import type { RouteHandle } from './route-handle.ts'

/** A level of addresses under which several features have pages: its breadcrumb says the same in all of them. */
interface Level {
  readonly path: string
  readonly handle: RouteHandle
}

export const LEVELS = {
  dashboards: { path: 'dashboard', handle: { title: 'Tableaux de bord', link: false } },
  live: { path: 'live-view', handle: { title: 'Général' } },
  statuses: { path: 'status-view', handle: { title: 'Statuts' } },
  services: { path: 'system', handle: { title: 'Services Narval' } },
  notifications: { path: 'notification', handle: { title: 'Notifications', claim: 'notification_write' } },
} as const satisfies Readonly<Record<string, Level>>

/** Routes under these levels, the outermost first. */
export const under = (levels: readonly Level[], ...routes: RouteObject[]): RouteObject[] =>
  levels.reduceRight((below, { path, handle }) => [{ path, handle, children: below }], routes)
