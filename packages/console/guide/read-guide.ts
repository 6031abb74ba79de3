import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGES } from './contents.ts'
import { imageSize } from './image-size.ts'
import { type GuidePage, readPage } from './markdown.ts'
import type { SearchEntry } from './search.ts'
import { shortTitle } from './template.ts'

export interface Guide {
  /** In reading order, by slug. */
  readonly pages: ReadonlyMap<string, GuidePage>
  readonly index: readonly SearchEntry[]
  /** Dead links, missing pictures, pages that the contents do not name or name in vain; in French. */
  readonly faults: readonly string[]
}

const TWIN = /-sombre(?=\.\w+$)/

const slugsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => file.replaceAll('\\', '/').replace(/\.md$/, ''))

const faultsOf = (page: GuidePage, pages: Guide['pages'], pictures: string): string[] => {
  const say = (fault: string): string => `docs/guide/${page.slug}.md : ${fault}`
  const dead = page.links.flatMap(({ to, anchor }) => {
    const target = pages.get(to.replace(/\.md$/, ''))
    if (!to.endsWith('.md') || target === undefined) return [say(`lien mort vers ${to}`)]
    const known = anchor === '' || target.headings.some(({ id }) => id === anchor)
    return known ? [] : [say(`ancre inconnue ${to}#${anchor}`)]
  })
  const missing = page.pictures
    .filter(({ to }) => !/^images\/[^/]+$/.test(to) || !existsSync(join(pictures, to.slice('images/'.length))))
    .map(({ to }) => say(`image absente ${to}`))
  return [...dead, ...missing]
}

const indexOf = (page: GuidePage): SearchEntry[] =>
  page.parts.map(({ heading, text }) => ({
    to: heading.depth === 1 ? `${page.slug}.html` : `${page.slug}.html#${heading.id}`,
    page: shortTitle(page),
    heading: heading.depth === 1 ? '' : heading.text,
    text,
  }))

/** Reads the whole guide: `sources` holds the Markdown, `pictures` the images. */
export const readGuide = (sources: string, pictures: string): Guide => {
  const written = new Set(slugsIn(sources))
  const names = existsSync(pictures) ? readdirSync(pictures) : []
  const withTwin = new Set(
    names.filter(name => TWIN.test(name)).map(name => `images/${name.replace(/-sombre\.\w+$/, '')}`),
  )
  const sizeOf = (path: string) => {
    const file = join(pictures, path.slice('images/'.length))
    return existsSync(file) ? imageSize(readFileSync(file)) : undefined
  }
  const pages = new Map(
    PAGES.filter(slug => written.has(slug)).map(slug => [
      slug,
      readPage(slug, readFileSync(join(sources, `${slug}.md`), 'utf8'), { withTwin, sizeOf }),
    ]),
  )
  const faults = [
    ...[...written].filter(slug => !pages.has(slug)).map(slug => `docs/guide/${slug}.md : absent du sommaire`),
    ...PAGES.filter(slug => !written.has(slug)).map(slug => `docs/guide/${slug}.md : au sommaire, mais pas écrit`),
    ...[...pages.values()].flatMap(page => faultsOf(page, pages, pictures)),
  ]
  return { pages, index: [...pages.values()].flatMap(indexOf), faults }
}
