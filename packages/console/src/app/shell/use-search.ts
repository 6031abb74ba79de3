import { useDebouncedValue } from '@mantine/hooks'
import { SEARCH_TERM_MAX, type SearchResult, searchRoutes } from '@narval/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import { call } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { ADMINISTRATION_MENU, GENERAL_MENU, menuLinks, visibleMenu } from '../menu.ts'
import { actGroup, groupsOf, objectOfPath, recentGroup, type SearchGroup } from './search.ts'
import { verbOf } from './search-actions.ts'
import { recentObjects, rememberObject } from './search-recent.ts'

/** Between the last key and the question: who types on is not asked for at each letter. */
const DELAY_MS = 80
const FRESH_MS = 5_000
const KEPT_MS = 30_000
const NONE: readonly SearchResult[] = []

export interface SearchView {
  readonly groups: readonly SearchGroup[]
  /** What is shown of objects is of what was typed before: their answer is still to come. */
  readonly isLate: boolean
  readonly hasFailed: boolean
}

/** What is found for a text as one types it; without one, what one has looked at lately. */
export const useSearch = (text: string, isOpen: boolean): SearchView => {
  const term = text.trim()
  const rights = useSession()
  const { can } = rights
  const [settled] = useDebouncedValue(term, DELAY_MS)
  const objects = useObjects(settled, isOpen && term !== '')
  const verb = can('incident_write') ? verbOf(settled) : null
  const acted = useObjects(verb?.about ?? '', isOpen && verbOf(term) !== null)
  const recent = useRecent(isOpen && term === '')
  const links = useMemo(() => menuLinks(visibleMenu([...GENERAL_MENU, ...ADMINISTRATION_MENU], can)), [can])
  const [found, about] = [objects.isError ? NONE : (objects.data ?? NONE), verb === null ? NONE : (acted.data ?? NONE)]
  const groups = useMemo(
    () =>
      term === ''
        ? recentGroup(recent)
        : [...actGroup(settled, about, rights), ...groupsOf(term, links, rights, found)],
    [term, settled, links, rights, found, about, recent],
  )
  const isLate = settled !== term || isAwaited(objects) || (verb !== null && isAwaited(acted))
  return { groups, isLate: term !== '' && isLate, hasFailed: term !== '' && objects.isError }
}

const isAwaited = ({ isPlaceholderData, isPending, isError }: ReturnType<typeof useObjects>): boolean =>
  !isError && (isPlaceholderData || isPending)

/** The key of each answer is its term: one that comes late is of another key, and replaces nothing. */
const useObjects = (term: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['search', term],
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { term: term.slice(0, SEARCH_TERM_MAX) }, signal }),
    enabled: isWanted && term !== '',
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    retry: false,
  })

const useRecent = (isWanted: boolean) => {
  const { user } = useSession()
  const { pathname } = useLocation()
  const here = objectOfPath(pathname)
  const asked = isWanted && user !== null ? recentObjects(user.idUser).filter(one => one !== here) : []
  const { data } = useQuery({
    queryKey: ['search', 'recent', asked.join(',')],
    queryFn: ({ signal }) => call(searchRoutes.recall, { query: { objects: asked.join(',') }, signal }),
    enabled: asked.length > 0,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    retry: false,
  })
  return asked.length === 0 ? NONE : (data ?? NONE)
}

/** Remembers each object whose page is opened. */
export const useRecentObjects = (): void => {
  const { pathname } = useLocation()
  const userId = useSession().user?.idUser
  useEffect(() => {
    const object = objectOfPath(pathname)
    if (object !== null && userId !== undefined) rememberObject(userId, object)
  }, [pathname, userId])
}
