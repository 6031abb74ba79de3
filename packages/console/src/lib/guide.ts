/** Address of the guide that is built with the console and served beside it. */
export const GUIDE = '/guide/'

/** Page of the guide for the pages of the console whose address begins so; what is more exact comes first. */
export const GUIDE_PAGES: readonly (readonly [string, string])[] = [
  ['/dashboard/live-view/incident', 'incidents'],
  ['/dashboard/live-view/maintenance', 'maintenance'],
  ['/dashboard/status-view/availability', 'disponibilite'],
  ['/dashboard/status-view/map', 'carte'],
  ['/dashboard/status-view/topology', 'carte'],
  ['/dashboard/status-view', 'statuts'],
  ['/dashboard', 'tableaux-de-bord'],
  ['/metric/graph', 'graphiques'],
  ['/metric/edit', 'objets'],
  ['/metric', 'fiches'],
  ['/site/edit', 'objets'],
  ['/site', 'fiches'],
  ['/host/first', 'premiers-pas'],
  ['/host/edit', 'objets'],
  ['/host/model', 'objets'],
  ['/host', 'fiches'],
  ['/customfield', 'champs-dynamiques'],
  ['/scanner/discovery', 'decouverte'],
  ['/scanner', 'scanners'],
  ['/user/myaccount', 'mon-compte'],
  ['/user', 'comptes'],
  ['/probe', 'sondes'],
  ['/system/notification/rule', 'notifications-regles'],
  ['/system/notification/simulator', 'notifications-regles'],
  ['/system/notification', 'notifications-canaux'],
  ['/system/display', 'mode-mural'],
  ['/system/parameter', 'parametres'],
  ['/system', 'services'],
  ['/log', 'journal'],
  ['/comments', 'commentaires'],
  ['/notifications', 'notifications'],
  ['/api', 'api'],
]

/** The guide's page about a page of the console; null where there is none. */
export const guidePageOf = (pathname: string): string | null => {
  const [, page] = GUIDE_PAGES.find(([path]) => pathname === path || pathname.startsWith(`${path}/`)) ?? []
  return page === undefined ? null : `${GUIDE}${page}.html`
}
