import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'

export interface Heading {
  readonly id: string
  readonly depth: number
  readonly text: string
}

/** What stands under one heading, as plain text. */
export interface Part {
  readonly heading: Heading
  readonly text: string
}

/** A link or a picture, by the path of what it leads to from the root of the guide. */
export interface Reference {
  readonly to: string
  readonly anchor: string
}

export interface GuidePage {
  /** Path of the file under docs/guide, without its ending. */
  readonly slug: string
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly parts: readonly Part[]
  readonly links: readonly Reference[]
  readonly pictures: readonly Reference[]
}

interface Options {
  /** Names under images/guide that have a twin for the dark theme, without their ending. */
  readonly withTwin?: ReadonlySet<string>
  /** Width and height of a picture, so that nothing moves once it is there. */
  readonly sizeOf?: (path: string) => { readonly width: number; readonly height: number } | undefined
}

const PICTURES = 'images/'
const NARROW_SPACE = '\u202f'

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** French typography of a text that is not code: ’ and spaces that hold before : ; ? ! » and after «. */
export const typeset = (text: string): string =>
  text
    .replace(/(\p{L})'(?=[\p{L}«])/gu, '$1’')
    .replace(/ ([:;?!»])(?=$|[\s.,;)…])/g, `${NARROW_SPACE}$1`)
    .replace(/« /g, `«${NARROW_SPACE}`)
    .replace(/(\d) (?=(?:\d{3}\b|%|ms\b|s\b|min\b|h\b|jours?\b|px\b|[kMG]i?o\b))/g, '$1\u00a0')

/** The anchor of a heading, as those that show Markdown make it: lower case, words joined by hyphens. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const isContainer = (token: Token): token is Token & { tokens: Token[] } =>
  'tokens' in token && token.tokens !== undefined

/** The words of some tokens, without what marks them. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(token => {
      if (token.type === 'image') return ''
      if (token.type === 'br' || token.type === 'space') return ' '
      if (token.type === 'table') return tableText(token)
      if (token.type === 'list')
        return ` ${token.items.map((item: Tokens.ListItem) => plainText(item.tokens)).join(' ')}`
      if (isContainer(token)) return `${plainText(token.tokens)}${token.type === 'paragraph' ? ' ' : ''}`
      return 'text' in token && typeof token.text === 'string' ? token.text : ''
    })
    .join('')

const tableText = (table: Token): string => {
  if (table.type !== 'table') return ''
  const rows: Tokens.TableCell[][] = [table.header, ...table.rows]
  return rows.map(row => row.map(cell => plainText(cell.tokens)).join(' · ')).join(' ; ')
}

const oneLine = (text: string): string => typeset(text.replace(/\s+/g, ' ').trim())

/** Headings of levels 1 to 3 with what stands under each; a deeper one belongs to what is above it. */
const partsOf = (tokens: readonly Token[]): Part[] => {
  const groups: { heading: Heading; under: Token[] }[] = []
  const taken = new Map<string, number>()
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth <= 3) {
      const text = oneLine(plainText(token.tokens ?? []))
      const wanted = anchorOf(plainText(token.tokens ?? []))
      const times = taken.get(wanted) ?? 0
      taken.set(wanted, times + 1)
      groups.push({ heading: { id: times === 0 ? wanted : `${wanted}-${times}`, depth: token.depth, text }, under: [] })
    } else groups.at(-1)?.under.push(token)
  }
  return groups.map(({ heading, under }) => ({ heading, text: oneLine(under.map(one => plainText([one])).join(' ')) }))
}

/** Where a link of a page leads within the guide; null for an address of Narval or of the Web. */
const referenceOf = (slug: string, href: string): Reference | null => {
  if (/^(https?:\/\/|mailto:|\/)/.test(href)) return null
  const [path = '', anchor = ''] = href.split('#')
  const to = path === '' ? `${slug}.md` : posix.normalize(posix.join(posix.dirname(slug), path))
  return { to: to.replace(/^\.\.\/images\/guide\//, PICTURES), anchor: decodeURIComponent(anchor) }
}

/** The relative address that leads from a page to a path of the guide. */
export const addressFrom = (slug: string, path: string): string => posix.relative(posix.dirname(`/${slug}`), `/${path}`)

/**
 * A page of the guide. Throws on what the guide does not use and would go unseen: HTML within the Markdown, an address
 * of an unknown kind, a page without a title.
 */
export const readPage = (slug: string, markdown: string, { withTwin, sizeOf }: Options = {}): GuidePage => {
  const links: Reference[] = []
  const pictures: Reference[] = []
  const picture = (path: string, text: string, className: string): string => {
    const size = sizeOf?.(path)
    const sized = size === undefined ? '' : ` width="${size.width}" height="${size.height}"`
    return `<img${className} src="${escapeHtml(addressFrom(slug, path))}" alt="${escapeHtml(typeset(text))}"${sized} loading="lazy">`
  }
  const marked = new Marked({ gfm: true })
  const parts = partsOf(marked.lexer(markdown))
  let heading = 0
  marked.use({
    renderer: {
      html: ({ text }) => {
        throw new Error(`docs/guide/${slug}.md : pas de HTML dans le guide (${text.trim()})`)
      },
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens)
        return typeset(escapeHtml(token.text).replaceAll('&amp;amp;', '&amp;'))
      },
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        if (depth > 3) return `<h${depth}>${inner}</h${depth}>\n`
        const { id = '', text = '' } = parts[heading++]?.heading ?? {}
        if (depth === 1) return ''
        const label = escapeHtml(`Lien vers «${NARROW_SPACE}${text}${NARROW_SPACE}»`)
        return `<h${depth} id="${escapeHtml(id)}">${inner}<a class="anchor" href="#${escapeHtml(id)}" aria-label="${label}">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const reference = referenceOf(slug, href)
        if (reference === null) {
          const out = href.startsWith('/') ? '' : ' target="_blank" rel="noopener noreferrer"'
          return `<a href="${escapeHtml(href)}"${out}>${inner}</a>`
        }
        links.push(reference)
        const path = href.startsWith('#') ? '' : addressFrom(slug, reference.to.replace(/\.md$/, '.html'))
        return `<a href="${escapeHtml(path + (reference.anchor === '' ? '' : `#${reference.anchor}`))}">${inner}</a>`
      },
      image({ href, text }) {
        const reference = referenceOf(slug, href)
        if (reference === null) throw new Error(`docs/guide/${slug}.md : image d’ailleurs (${href})`)
        pictures.push(reference)
        const [, name = '', ending = ''] = /^(.*)(\.\w+)$/.exec(reference.to) ?? []
        const images =
          withTwin?.has(name) === true
            ? picture(reference.to, text, ' class="light"') + picture(`${name}-sombre${ending}`, text, ' class="dark"')
            : picture(reference.to, text, '')
        return `<span class="picture">${images}</span>`
      },
      code: ({ text, lang }) =>
        `<pre${lang === undefined || lang === '' ? '' : ` data-language="${escapeHtml(lang)}"`}><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const cell = (tag: string, { tokens }: Tokens.TableCell): string => {
          const inner = this.parser.parseInline(tokens)
          return tag === 'th' && inner !== '' ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`
        }
        const row = (tag: string, cells: Tokens.TableCell[]) => `<tr>${cells.map(one => cell(tag, one)).join('')}</tr>`
        const body = rows.map(cells => row('td', cells)).join('\n')
        return `<div class="table"><table><thead>${row('th', header)}</thead><tbody>\n${body}\n</tbody></table></div>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  const title = parts[0]?.heading
  if (title?.depth !== 1) throw new Error(`docs/guide/${slug}.md : la page ne commence pas par un titre`)
  return { slug, title: title.text, html, headings: parts.map(part => part.heading), parts, links, pictures }
}
