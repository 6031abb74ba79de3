import { type SearchEntry, type SearchHit, searchGuide } from './search.ts'

/** What the guide's pages do beyond being read: the reader's theme, the search, and places that scroll. */

declare global {
  /** Set by search-index.js, a script rather than data so that the search works from a folder too. */
  var narvalGuide: readonly SearchEntry[] | undefined
}

/** Where the console says which theme its reader chose (help-links.tsx). */
const THEME_KEY = 'guideTheme'

const root = document.documentElement
const base = document.currentScript?.getAttribute('data-root') ?? ''

const chosenTheme = (): string | null => {
  try {
    return localStorage.getItem(THEME_KEY)
  } catch {
    return null
  }
}

const followTheme = (): void => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const chosen = chosenTheme()
    const dark = chosen === 'dark' || (chosen !== 'light' && system.matches)
    root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  }
  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', apply)
  // Paper is white.
  addEventListener('beforeprint', () => root.setAttribute('data-mantine-color-scheme', 'light'))
  addEventListener('afterprint', apply)
}

const loadIndex = (): Promise<readonly SearchEntry[]> =>
  new Promise((resolve, reject) => {
    if (globalThis.narvalGuide !== undefined) return resolve(globalThis.narvalGuide)
    const script = document.createElement('script')
    script.src = `${base}search-index.js`
    script.addEventListener('load', () => resolve(globalThis.narvalGuide ?? []))
    script.addEventListener('error', reject)
    document.head.append(script)
  })

const item = ({ entry, excerpt }: SearchHit): HTMLLIElement => {
  const link = document.createElement('a')
  link.href = `${base}${entry.to}`
  const title = document.createElement('strong')
  title.textContent = entry.heading === '' ? entry.page : `${entry.page} › ${entry.heading}`
  const text = document.createElement('span')
  text.textContent = excerpt
  link.append(title, text)
  const line = document.createElement('li')
  line.append(link)
  return line
}

const countText = (count: number): string =>
  count === 0 ? 'Rien ne correspond à tous ces mots.' : count === 1 ? '1 passage' : `${count} passages`

const startSearch = (): void => {
  const box = document.querySelector<HTMLElement>('.search')
  const input = document.querySelector<HTMLInputElement>('#recherche')
  const panel = document.querySelector<HTMLElement>('.panel')
  const list = document.querySelector<HTMLUListElement>('#resultats')
  const count = document.querySelector<HTMLElement>('#combien')
  if (box === null || input === null || panel === null || list === null || count === null) return
  box.hidden = false
  const show = async (): Promise<void> => {
    const asked = input.value
    panel.hidden = asked.trim() === ''
    if (panel.hidden) return
    const entries = await loadIndex().catch(() => null)
    if (input.value !== asked) return
    const hits = entries === null ? [] : searchGuide(entries, asked)
    list.replaceChildren(...hits.map(item))
    count.textContent = entries === null ? 'La recherche n’a pas pu être chargée.' : countText(hits.length)
  }
  const close = (): void => {
    panel.hidden = true
  }
  input.addEventListener('input', () => void show())
  input.addEventListener('focus', () => void show())
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      input.focus()
      close()
    }
    if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const stops: readonly HTMLElement[] = [input, ...list.querySelectorAll('a')]
    const place = document.activeElement instanceof HTMLElement ? stops.indexOf(document.activeElement) : 0
    stops.at((place + (event.key === 'ArrowDown' ? 1 : -1)) % stops.length)?.focus()
  })
  box.addEventListener('focusout', event => {
    if (!(event.relatedTarget instanceof Node && box.contains(event.relatedTarget))) close()
  })
  // A link within the page moves nothing away: the list would stay over it.
  list.addEventListener('click', close)
  addEventListener('keydown', event => {
    const typing = event.target instanceof Element && event.target.matches('input, textarea, select')
    const opens =
      (event.key === '/' && !typing) || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
    if (!opens) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** What is wider than its place is reached by keyboard. */
const reachScrollers = (): void => {
  for (const place of document.querySelectorAll<HTMLElement>('.table, pre')) {
    if (place.scrollWidth <= place.clientWidth) place.removeAttribute('tabindex')
    else place.tabIndex = 0
  }
}

/** The contents stand beside the page where there is room, and fold above it where there is none. */
const foldContents = (): void => {
  const all = document.querySelector<HTMLDetailsElement>('.all')
  const narrow = matchMedia('(max-width: 860px)')
  const apply = (): void => {
    if (all !== null) all.open = !narrow.matches
  }
  apply()
  narrow.addEventListener('change', apply)
}

followTheme()
addEventListener('DOMContentLoaded', () => {
  foldContents()
  startSearch()
  reachScrollers()
  addEventListener('resize', reachScrollers)
  document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' })
})
