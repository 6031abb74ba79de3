import type { Route } from './route.ts'

/** Whose claims groups may limit, though what they change or tell is of all sites. */
const WIDE = [
  '/api/Discovery',
  '/api/Import/',
  '/api/Model/Create',
  '/api/Model/Update',
  '/api/Model/Undo',
  '/api/Model/Delete',
  '/api/Credential/Model',
  '/api/Host/CreateType',
  '/api/Host/UpdateType',
  '/api/Host/DeleteType',
  '/api/Host/CreateModel',
  '/api/Host/UpdateModel',
  '/api/Host/DeleteModel',
  '/api/Site/CreateType',
  '/api/Site/UpdateType',
  '/api/Site/DeleteType',
] as const

/** Whether a route is refused to accounts that are limited: catalogues, models, discovery and imports are everybody's. */
export const isWide = ({ path }: Pick<Route, 'path'>): boolean => WIDE.some(start => path.startsWith(start))
