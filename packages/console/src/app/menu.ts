import type { Claim } from '@narval/contracts'

export type MenuIcon =
  | 'dashboard'
  | 'general'
  | 'status'
  | 'grid'
  | 'site'
  | 'host'
  | 'metric'
  | 'edit'
  | 'field'
  | 'scanner'
  | 'users'
  | 'user'
  | 'group'
  | 'probe'
  | 'service'
  | 'log'

interface MenuBase {
  readonly label: string
  readonly icon: MenuIcon
  /** Shown to who holds one of these, or `admin`; to everybody when there is none. */
  readonly claims?: readonly Claim[]
}
export interface MenuLink extends MenuBase {
  readonly to: string
}
export interface MenuGroup extends MenuBase {
  readonly open?: boolean
  readonly children: readonly MenuLink[]
}
export type MenuEntry = MenuLink | MenuGroup

export const isGroup = (entry: MenuEntry): entry is MenuGroup => 'children' in entry

/** The general entries of spec §2, in its order. */
export const GENERAL_MENU: readonly MenuEntry[] = [
  {
    label: 'Tableaux de bord',
    icon: 'dashboard',
    open: true,
    children: [
      { label: 'Général', icon: 'general', to: '/dashboard/live-view' },
      { label: 'Statuts', icon: 'status', to: '/dashboard/status-view' },
      { label: 'Équipements', icon: 'grid', to: '/dashboard/host-status' },
    ],
  },
  { label: 'Sites', icon: 'site', to: '/site' },
  { label: 'Équipements', icon: 'host', to: '/host' },
  { label: 'Métriques', icon: 'metric', to: '/metric' },
]

export const ADMINISTRATION_HEADING = 'ADMINISTRATION'
/** The administration entries of spec §2, each with its claim, in its order. */
export const ADMINISTRATION_MENU: readonly MenuEntry[] = [
  {
    label: 'Édition',
    icon: 'edit',
    claims: ['site_write', 'host_write', 'metric_write'],
    children: [
      { label: 'Site', icon: 'site', to: '/site/edit', claims: ['site_write'] },
      { label: 'Équipement', icon: 'host', to: '/host/edit', claims: ['host_write'] },
      { label: 'Métrique', icon: 'metric', to: '/metric/edit', claims: ['metric_write'] },
    ],
  },
  { label: 'Champs dynamiques', icon: 'field', to: '/customfield/edit', claims: ['custom_field_write'] },
  { label: 'Scanner', icon: 'scanner', to: '/scanner/edit', claims: ['scanner_read'] },
  {
    label: 'Utilisateurs',
    icon: 'users',
    claims: ['user_read'],
    children: [
      { label: 'Comptes', icon: 'user', to: '/user/edit', claims: ['user_read'] },
      { label: 'Groupes', icon: 'group', to: '/user/group', claims: ['user_group_read'] },
    ],
  },
  { label: 'Sonde', icon: 'probe', to: '/probe/edit', claims: ['probe_write'] },
  { label: 'Services Narval', icon: 'service', to: '/system', claims: ['service_read'] },
  { label: 'Log', icon: 'log', to: '/log', claims: ['log_read'] },
]

type Can = (...claims: readonly Claim[]) => boolean
const shown = (entry: MenuBase, can: Can): boolean => entry.claims === undefined || can(...entry.claims)

/** The entries that somebody may see; a group without any visible child is left out. */
export const visibleMenu = (menu: readonly MenuEntry[], can: Can): MenuEntry[] =>
  menu
    .filter(entry => shown(entry, can))
    .map(entry => (isGroup(entry) ? { ...entry, children: entry.children.filter(child => shown(child, can)) } : entry))
    .filter(entry => !isGroup(entry) || entry.children.length > 0)

export interface PlacedLink {
  readonly link: MenuLink
  /** Label of the group that holds it. */
  readonly group: string | null
}

/** All the links of a menu, groups opened. */
export const menuLinks = (menu: readonly MenuEntry[]): PlacedLink[] =>
  menu.flatMap((entry): PlacedLink[] =>
    isGroup(entry) ? entry.children.map(link => ({ link, group: entry.label })) : [{ link: entry, group: null }],
  )

/** The entry of the current page: the longest address that begins it. */
export const activeLink = (menu: readonly MenuEntry[], pathname: string): string | null =>
  menuLinks(menu)
    .map(({ link }) => link.to)
    .filter(to => pathname === to || pathname.startsWith(`${to}/`))
    .reduce<string | null>((longest, to) => (longest === null || to.length > longest.length ? to : longest), null)
