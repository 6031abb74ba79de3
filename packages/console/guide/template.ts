import { CHAPTERS, PAGES, START_PAGE } from './contents.ts'
import { addressFrom, escapeHtml, type GuidePage } from './markdown.ts'

type Pages = ReadonlyMap<string, GuidePage>

/** How a page is called where several are listed. */
export const shortTitle = (page: GuidePage): string => {
  const [, name] = /^Contrôle\s:\s(.*)$/u.exec(page.title) ?? []
  return name === undefined ? page.title : name.charAt(0).toUpperCase() + name.slice(1)
}

const linkTo = (from: string, page: GuidePage, attributes = ''): string =>
  `<a href="${addressFrom(from, `${page.slug}.html`)}"${attributes}>${escapeHtml(shortTitle(page))}</a>`

/** All pages by chapter; the chapter of this page open, and the page marked. */
const contents = (current: string, pages: Pages): string =>
  CHAPTERS.map(({ title, pages: own }) => {
    const links = own.flatMap(slug => {
      const page = pages.get(slug)
      return page === undefined
        ? []
        : [`<li>${linkTo(current, page, slug === current ? ' aria-current="page"' : '')}</li>`]
    })
    const open = own.includes(current) ? ' open' : ''
    return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${links.join('')}</ul></details>`
  }).join('\n')

/** The start page's own contents: each chapter with what it is about, and its pages. */
const chapters = (pages: Pages): string =>
  CHAPTERS.map(({ title, about, pages: own }) => {
    const links = own.flatMap(slug => {
      const page = pages.get(slug)
      return page === undefined ? [] : [`<li>${linkTo(START_PAGE, page)}</li>`]
    })
    return `<section class="chapter"><h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p><ul>${links.join('')}</ul></section>`
  }).join('\n')

const onThisPage = ({ headings }: GuidePage): string => {
  const own = headings.filter(({ depth }) => depth === 2)
  if (own.length < 2) return ''
  const items = own.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`)
  return `<nav class="here" aria-labelledby="here"><p id="here">Sur cette page</p><ul>${items.join('')}</ul></nav>`
}

const neighbours = (page: GuidePage, pages: Pages): string => {
  const order = PAGES.filter(slug => pages.has(slug))
  const place = order.indexOf(page.slug)
  const link = (slug: string | undefined, className: string, label: string): string => {
    const other = slug === undefined ? undefined : pages.get(slug)
    if (other === undefined) return ''
    const address = addressFrom(page.slug, `${other.slug}.html`)
    return `<a class="${className}" href="${address}"><span>${label}</span> ${escapeHtml(shortTitle(other))}</a>`
  }
  const previous = place > 0 ? link(order[place - 1], 'previous', 'Précédent') : ''
  return `<nav class="around" aria-label="Pages voisines">${previous}${link(order[place + 1], 'next', 'Suivant')}</nav>`
}

interface Frame {
  readonly slug: string
  readonly title: string
  readonly pages: Pages
  readonly main: string
  /** Addresses from the root of the server: for a page that answers at any address. */
  readonly fixed?: boolean
}

const frame = ({ slug, title, pages, main, fixed = false }: Frame): string => {
  const root = fixed ? '/guide/' : '../'.repeat(slug.split('/').length - 1)
  const to = (path: string): string => root + path
  const nav = contents(slug, pages)
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>${escapeHtml(title)} · Guide de Narval</title>
<link rel="icon" type="image/svg+xml" href="${to('logo.svg')}">
<link rel="stylesheet" href="${to('style.css')}">
<script src="${to('guide.js')}" data-root="${root}"></script>
</head>
<body>
<a class="skip" href="#contenu">Aller au contenu</a>
<header>
<a class="brand" href="${to('index.html')}"><img src="${to('logo.svg')}" alt="" width="26" height="26"> Guide de Narval</a>
<div class="search" role="search" hidden>
<label for="recherche" class="hidden">Rechercher dans le guide</label>
<input id="recherche" type="search" placeholder="Rechercher dans le guide" autocomplete="off" spellcheck="false" aria-controls="resultats" aria-describedby="combien">
<div class="panel" hidden><p id="combien" role="status"></p><ul id="resultats"></ul></div>
</div>
<a class="back" href="/home">Ouvrir la console</a>
</header>
<div class="frame">
<nav class="contents" aria-label="Sommaire du guide">
<details class="all" open><summary>Sommaire</summary>
${nav}
</details>
</nav>
<main id="contenu" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`
}

/** A whole page of the guide, as a file that needs no server; `pages` are all pages, by slug. */
export const drawPage = (page: GuidePage, pages: Pages): string => {
  const chapter = CHAPTERS.find(({ pages: own }) => own.includes(page.slug))
  const trail = chapter === undefined ? '' : `<p class="trail">${escapeHtml(chapter.title)}</p>`
  const body = page.slug === START_PAGE ? `${page.html}<div class="chapters">${chapters(pages)}</div>` : page.html
  const main = `<div class="page">\n<article>\n${trail}<h1>${escapeHtml(page.title)}</h1>\n${body}\n${neighbours(page, pages)}</article>\n${onThisPage(page)}\n</div>`
  return frame({ slug: page.slug, title: page.title, pages, main })
}

/** What answers at an address of the guide that does not exist. */
export const drawMissing = (pages: Pages): string =>
  frame({
    slug: '404',
    title: 'Page introuvable',
    pages,
    fixed: true,
    main: '<div class="page"><article><h1>Page introuvable</h1><p>Cette page du guide n’existe pas, ou plus. <a href="/guide/">Le sommaire</a> les donne toutes ; la recherche, en haut, les parcourt.</p></article></div>',
  }).replaceAll(/<li><a href="(?!\/)/g, '<li><a href="/guide/')
