import { type Claim, fold, type SearchResult } from '@narval/contracts'
import type { MenuIcon, PlacedLink } from '../menu.ts'

export interface PageFound {
  readonly label: string
  readonly to: string
  readonly icon: MenuIcon
  readonly group: string | null
  /** Found by who holds one of these only. */
  readonly claims?: readonly Claim[]
}

/** Pages that the shell links beside the menu. */
const OTHER_PAGES: readonly PageFound[] = [
  {
    label: 'Modèles de supervision',
    to: '/host/model',
    icon: 'host',
    group: null,
    claims: ['scanner_read'],
  },
  { label: 'Mon compte', to: '/user/myaccount', icon: 'user', group: null },
  { label: 'Notifications', to: '/notifications', icon: 'general', group: null },
  { label: 'Référence de l’API', to: '/api/docs', icon: 'service', group: null },
]
const PAGES_MAX = 6

/** Pages whose name, with its group's, holds every word of the term; case and accents do not count. */
export const findPages = (
  links: readonly PlacedLink[],
  term: string,
  can: (...claims: readonly Claim[]) => boolean = () => true,
): PageFound[] => {
  const words = fold(term).split(' ').filter(Boolean)
  if (words.length === 0) return []
  const whole = words.join(' ')
  // What is called just so comes first, then what stands alone in the menu.
  const rank = (page: PageFound): number => (fold(page.label).startsWith(whole) ? 0 : 2) + (page.group === null ? 0 : 1)
  const pages = links.map(({ link, group }) => ({ label: link.label, to: link.to, icon: link.icon, group }))
  return [...pages, ...OTHER_PAGES.filter(({ claims }) => claims === undefined || can(...claims))]
    .filter(page => {
      const name = fold(`${page.label} ${page.group ?? ''}`)
      return words.every(word => name.includes(word))
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, PAGES_MAX)
}

/** Where a found object is shown. */
export const objectLink = ({ kind, id }: Pick<SearchResult, 'kind' | 'id'>): string => `/${kind}/${id}`
