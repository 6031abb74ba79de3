import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ADMINISTRATION_MENU, GENERAL_MENU, menuLinks } from '../src/app/menu.ts'
import { GUIDE_PAGES, guidePageOf } from '../src/lib/guide.ts'
import { anchorOf, readPage, typeset } from './markdown.ts'
import { readGuide } from './read-guide.ts'
import { fold, searchGuide } from './search.ts'
import { drawPage } from './template.ts'

const at = (path: string): string => fileURLToPath(new URL(`../../../docs/${path}`, import.meta.url))
const guide = readGuide(at('guide'), at('images/guide'))
const bestOf = (query: string): string | undefined => searchGuide(guide.index, query)[0]?.entry.to

it('no link of the guide is dead, no picture missing, and the contents name every page', () => {
  expect(guide.faults).toEqual([])
  expect(guide.pages.size).toBeGreaterThan(40)
})

it('each entry of the menu, and each « ? » of the console, has its page', () => {
  const links = [...GENERAL_MENU, ...ADMINISTRATION_MENU]
  expect(menuLinks(links).filter(({ link }) => guidePageOf(link.to) === null)).toEqual([])
  expect(GUIDE_PAGES.filter(([, page]) => !guide.pages.has(page))).toEqual([])
  expect(guidePageOf('/dashboard/live-view/incident/12')).toBe('/guide/incidents.html')
  expect(guidePageOf('/404')).toBeNull()
})

it('a page is drawn whole: its place in the contents, its neighbours, its anchors, nothing inline', () => {
  const page = guide.pages.get('controles/http')
  if (page === undefined) throw new Error('no page about HTTP')
  const html = drawPage(page, guide.pages)
  expect(html).toContain('<title>Contrôle\u202f: HTTP · Guide de Narval</title>')
  expect(html).toContain('<a href="http.html" aria-current="page">HTTP</a>')
  expect(html).toContain('<a href="../agir.html">')
  expect(html).toContain('<script src="../guide.js" data-root="../"></script>')
  expect(html).toContain('<a class="previous" href="tcp.html">')
  expect(html).not.toMatch(/<style|style="|onclick|<script>|src="http/)
})

it('a page that has HTML in it, a picture from elsewhere, or no title is refused', () => {
  expect(() => readPage('x', '# X\n\n<script>alert(1)</script>')).toThrow('pas de HTML')
  expect(() => readPage('x', '# X\n\n![x](https://ailleurs.test/x.png)')).toThrow('image d’ailleurs')
  expect(() => readPage('x', 'X')).toThrow('titre')
  expect(readPage('x', '# X\n\n[a](javascript:alert(1))').links).toEqual([{ to: 'javascript:alert(1)', anchor: '' }])
})

it('a dead link, an unknown anchor and a missing picture are said', () => {
  const page = readPage('controles/http', '# X\n\n[a](../agir.md#rien) [b](rien.md) ![c](../../images/guide/c.webp)')
  expect(page.links).toEqual([
    { to: 'agir.md', anchor: 'rien' },
    { to: 'controles/rien.md', anchor: '' },
  ])
  expect(page.pictures).toEqual([{ to: 'images/c.webp', anchor: '' }])
  expect(page.html).toContain('<a href="../agir.html#rien">')
})

it('headings have the anchors that any reader of Markdown gives them, twice the same name two', () => {
  expect(anchorOf('Vérifier : `narval-probe --check`')).toBe('vérifier--narval-probe---check')
  expect(readPage('x', '# X\n\n## Par l’API\n\n## Par l’API').headings.map(({ id }) => id)).toEqual([
    'x',
    'par-lapi',
    'par-lapi-1',
  ])
})

it('texts get French typography, code does not', () => {
  expect(typeset("l'équipement : « Acquitter » !")).toBe('l’équipement\u202f: «\u202fAcquitter\u202f»\u202f!')
  expect(readPage('x', "# X\n\n`a : b's` ::1").html).toContain('<code>a : b&#39;s</code> ::1')
})

it('the search finds a page by its name, a part by its heading, without case or accents, and all words must be there', () => {
  expect(bestOf('metriques prometheus')).toBe('controles/openmetrics.html')
  expect(bestOf('PRENDRE EN CHARGE')).toBe('agir.html#prendre-en-charge')
  expect(bestOf('acquit')).toMatch(/^agir\.html/)
  expect(bestOf('jours feries')).toBe('disponibilite.html#jours-fériés')
  expect(searchGuide(guide.index, 'acquitter introuvablemot')).toEqual([])
  expect(searchGuide(guide.index, ' ?! ')).toEqual([])
  expect(fold('Éléphant d’ÎLE İ')).toHaveLength('Éléphant d’ÎLE İ'.length)
})
