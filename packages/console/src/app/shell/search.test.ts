import { readdirSync } from 'node:fs'
import { SEARCH_PER_KIND, type SearchResult } from '@narval/contracts'
import { matchRoutes, type RouteObject } from 'react-router'
import { describe, expect, test, vi } from 'vitest'
import { claimsOf } from '../../lib/route-handle.ts'
import { ADMINISTRATION_MENU, GENERAL_MENU, menuLinks } from '../menu.ts'
import { actGroup, findActions, findPages, groupsOf, objectLink, objectOfPath, type SearchRights } from './search.ts'
import { SEARCH_ACTIONS, verbOf } from './search-actions.ts'
import { markedParts } from './search-marks.ts'
import { searchPages } from './search-pages.ts'
import { recentObjects, rememberObject } from './search-recent.ts'

const links = menuLinks([...GENERAL_MENU, ...ADMINISTRATION_MENU])
const rights = (held: readonly string[] | null, limited: readonly string[] = []): SearchRights => {
  const can: SearchRights['can'] = (...claims) => held === null || claims.some(one => held.includes(one))
  return {
    can,
    canEverywhere: (...claims) => can(...claims) && !claims.some(one => limited.includes(one)),
    canOn: ({ siteId }, ...claims) => can(...claims) && (limited.length === 0 || siteId === 1),
  }
}
const ALL = rights(null)
const found = (term: string) => findPages(links, term, ALL).map(page => page.to)

describe('pages of the search box', () => {
  test('neither case nor accents count', () => {
    expect(found('EQUIP')).toEqual(['/host', '/dashboard/host-status', '/host/edit'])
    expect(found('métr')).toEqual(['/metric', '/metric/edit'])
  })
  test('every word counts, the group’s too', () => {
    expect(found('edition site')).toEqual(['/site/edit'])
    expect(found('zzz')).toEqual([])
    expect(found('   ')).toEqual([])
  })
  test('a page beside the menu is found by who may open it', () => {
    const may = (claim: string) => findPages(links, 'modeles', rights([claim]))
    expect(may('scanner_read').map(page => page.to)).toEqual(['/host/model'])
    expect(may('user_read')).toEqual([])
  })
  test('an object leads to its page', () => {
    expect(objectLink({ kind: 'host', id: 4 })).toBe('/host/4')
  })
})

/** The routes of every section, as the router takes them. */
const sections = async (): Promise<RouteObject[]> => {
  // What a page that is not loaded on demand looks for as it is read.
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, clear: () => undefined })
  vi.stubGlobal('addEventListener', () => undefined)
  const folder = new URL('../../features/', import.meta.url)
  const routes: RouteObject[] = []
  for (const name of readdirSync(folder)) {
    if (!readdirSync(new URL(`${name}/`, folder)).includes('routes.tsx')) continue
    const module = await import(`../../features/${name}/routes.tsx`)
    routes.push(...(module.routes ?? ['site', 'host', 'metric'].flatMap(entity => module.routesOf(entity))))
  }
  // A screen without the shell: the router has it beside the sections.
  return [...routes, { path: 'dashboard/wall' }]
}

describe('what the search box leads to', () => {
  test('is there, and opens to who holds what it asks for: no more and no less', async () => {
    const routes = await sections()
    const asked = [
      ...searchPages(links).map(page => ({ to: page.to, held: [...(page.claims ?? [])], wide: page.wide })),
      ...SEARCH_ACTIONS.flatMap(action =>
        'to' in action ? { to: action.to, held: [...action.claims], wide: action.wide } : [],
      ),
    ]
    for (const { to, held, wide } of asked) {
      const matches = matchRoutes(routes, to) ?? []
      expect([to, matches.length > 0, matches.at(-1)?.params]).toEqual([to, true, {}])
      const handles = matches.map(({ route, pathname }) => ({ handle: route.handle, pathname }))
      const wanted = [...new Set(claimsOf(handles).flat())]
      expect([to, wide === true]).toEqual([to, claimsOf(handles, true).length > 0])
      // What the menu names, it shows by claims of its own.
      if (links.some(({ link }) => link.to === to)) continue
      expect([to, held.toSorted()]).toEqual([
        to,
        held.includes('incident_write') ? ['incident_write'] : wanted.toSorted(),
      ])
    }
    for (const kind of ['site', 'host', 'incident', 'metric', 'scanner', 'probe', 'model', 'user', 'group'] as const) {
      const link = objectLink({ kind, id: 7 })
      expect([kind, matchRoutes(routes, link)?.at(-1)?.params]).toEqual([kind, { id: '7' }])
      expect(objectOfPath(link)).toBe(`${kind}:7`)
    }
    expect([objectOfPath('/host/edit'), objectOfPath('/host/edit/7'), objectOfPath('/host/0')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('actions are found by what they do, other words and one fault; only with their claims', () => {
    const actions = (term: string, held: readonly string[] | null = null, limited: readonly string[] = []) =>
      findActions(term, rights(held, limited)).map(one => one.label)
    expect(actions('acquiter')).toEqual(['Acquitter des incidents…'])
    expect(actions('nouvel equipement')).toEqual(['Ajouter un équipement'])
    expect(actions('sombre')).toEqual(['Changer de thème'])
    expect(actions('acquitter', [])).toEqual([])
    expect(actions('ajouter', ['host_write'])).toEqual(['Ajouter un équipement'])
    // On some sites only: what is everybody's is not offered.
    expect(actions('equipement', ['host_write'], ['host_write'])).toEqual([
      'Ajouter un équipement',
      'Superviser une adresse pas à pas',
    ])
    expect(actions('deconnex', [])).toEqual(['Se déconnecter'])
    expect(actions('a')).toEqual([])
  })

  test('groups: an exact name before all, pages before objects that match as well, more behind a full kind', () => {
    const host = (id: number, name: string, match: SearchResult['match']): SearchResult => ({
      ...{ kind: 'host', id, name, detail: '', severity: 'ok', match, siteId: 1, hostId: id },
    })
    const keys = (term: string, objects: readonly SearchResult[]) =>
      groupsOf(term, links, ALL, objects).map(group => group.key)
    expect(keys('sites', [host(1, 'sites', 'start')])[0]).toBe('page')
    expect(keys('sit', [host(1, 'sit', 'exact')])[0]).toBe('host')
    expect(keys('metri', [host(1, 'x', 'word')])).toEqual(['page', 'host', 'action'])
    expect(keys('metri', [host(1, 'x', 'close')])).toEqual(['page', 'action', 'host'])
    const full = Array.from({ length: SEARCH_PER_KIND }, (_, index) => host(index + 1, `srv-${index}`, 'start'))
    const options = (objects: readonly SearchResult[]) => groupsOf('srv', links, ALL, objects)[0]?.options ?? []
    expect(options(full).at(-1)).toMatchObject({ to: '/host?q=srv' })
    expect(options(full.slice(1)).at(-1)).toMatchObject({ to: '/host/8' })
  })
})

test('a verb and a name offer to do it about each object found by the name, of the kinds that it is done to', () => {
  const object = (kind: SearchResult['kind'], name: string): SearchResult => ({
    ...{ kind, id: 3, name, detail: '', severity: 'error', match: 'word', siteId: 1, hostId: null },
  })
  const objects = [object('host', 'srv-lyon'), object('incident', 'srv-lyon : Ping'), object('site', 'Lyon')]
  const acts = (term: string) => actGroup(term, objects, ALL).flatMap(({ options }) => options.map(one => one.label))
  expect(acts('acquiter lyon')).toEqual(['Acquitter srv-lyon : Ping'])
  expect(acts('planifier une maintenance sur lyon')).toEqual([
    'Planifier une maintenance de srv-lyon',
    'Planifier une maintenance de Lyon',
  ])
  expect(acts('vérif lyon')).toEqual(['Vérifier maintenant srv-lyon'])
  expect([acts('acquitter'), acts('acq lyon'), acts('planifier une maintenance'), acts('lyon')]).toEqual([
    [],
    [],
    [],
    [],
  ])
  const elsewhere = objects.map(one => ({ ...one, siteId: 2 }))
  expect(actGroup('acquitter lyon', elsewhere, rights(['incident_write'], ['incident_write']))).toEqual([])
  expect(actGroup('acquitter lyon', objects, rights([]))).toEqual([])
  expect(verbOf('Acquitter le srv-lyon 01')?.about).toBe('srv-lyon 01')
})

test('what was found is marked as it is written, with its accents', () => {
  const marked = (text: string, term: string) =>
    markedParts(text, term)
      .map(part => (part.isMarked ? `[${part.text}]` : part.text))
      .join('')
  expect(marked('Entrepôt Évry Œuvres', 'evry entrepot')).toBe('[Entrepôt] [Évry] Œuvres')
  expect(marked('Entrepôt Évry Œuvres', 'oeuvr')).toBe('Entrepôt Évry [Œuvr]es')
  expect(marked('routeur-lyon-01', 'routuer')).toBe('[routeur]-lyon-01')
  expect(marked('Lyon', 'paris')).toBe('Lyon')
  expect(marked('<b>Lyon', '<b')).toBe('[<b]>Lyon')
})

test('objects that one has looked at are those of this account, the last first, eight at most', () => {
  const held = new Map<string, string>()
  const store = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  }
  for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3]) rememberObject(5, `host:${id}`, store)
  expect(recentObjects(5, store)).toEqual([3, 9, 8, 7, 6, 5, 4, 2].map(id => `host:${id}`))
  expect(recentObjects(6, store)).toEqual([])
  rememberObject(6, 'site:1', store)
  expect([recentObjects(6, store), recentObjects(5, store)]).toEqual([['site:1'], []])
})
