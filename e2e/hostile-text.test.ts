import { accountRoutes, parameterRoutes, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { openPage, type WatchedPage } from './kit/browser.ts'
import { type Canary, openCanary } from './kit/canary.ts'
import { createHostileFleet, type HostileFleet } from './kit/hostile-fleet.ts'
import { interceptAlerts } from './kit/hub-in-page.ts'
import { enter, useProduct } from './kit/product.ts'
import { xssCorpus } from './kit/xss-corpus.ts'

let canary: Canary
let texts: readonly string[]
let fleet: HostileFleet

const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ server }) => {
    canary = await openCanary()
    texts = xssCorpus(canary.url.replace('http:', ''), 120)
    fleet = await createHostileFleet(server.url, api, texts)
  },
})
const { api } = product
afterAll(() => canary.close())

/** Plants what the corpus calls: running is counted. */
const PLANT = 'globalThis.ran = 0; globalThis.xss = () => { globalThis.ran += 1 }'

/** A tab in which whatever runs, or opens a dialog, is a fault. */
const openWatched = async (): Promise<WatchedPage> => {
  const tab = await openPage(product.browser, product.server.url)
  await tab.page.addInitScript(PLANT)
  tab.page.on('dialog', dialog => {
    tab.faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return tab
}

/** Elements and attributes that the console never makes (its own details bear a class of its styles), and how often the corpus ran. */
const intruders = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const strange =
      'iframe, object, embed, base, video, audio, details:not([class]), math, animate, meta[http-equiv], form[action]'
    const files = [...document.querySelectorAll('script, img, link')].filter(one => {
      const address = one.getAttribute('src') ?? one.getAttribute('href') ?? ''
      return !new URL(address, location.origin).href.startsWith(`${location.origin}/assets/`)
    })
    const handlers = [...document.querySelectorAll('*')].filter(one =>
      one.getAttributeNames().some(name => name.startsWith('on')),
    )
    const links = document.querySelectorAll('a[href^="javascript:" i]')
    const ran: unknown = Reflect.get(globalThis, 'ran')
    const found = [...document.querySelectorAll(strange), ...files, ...handlers, ...links]
    return [...found.map(one => one.outerHTML.slice(0, 200)), ...(ran === 0 ? [] : [`ran ${ran}`])]
  })
const expectNone = async ({ page, faults }: WatchedPage): Promise<void> => {
  expect([page.url(), await intruders(page), faults, canary.heard]).toEqual([page.url(), [], [], []])
}

/** The text of every cell of a list, all its pages turned. */
const readList = async (tab: WatchedPage, path: string, rows: number): Promise<Set<string>> => {
  const { page } = tab
  const seen = new Set<string>()
  await page.goto(`${path}${path.includes('?') ? '&' : '?'}length=50`)
  await page.locator('tbody td').first().waitFor()
  for (let first = 0; first < rows; first += 50) {
    if (first > 0) await page.getByRole('button', { name: 'Page suivante' }).click()
    await page.getByText(new RegExp(`^${first + 1} à `)).waitFor()
    // The rows of the page before stay until the next ones are there.
    await page.locator('[data-table]:not(:has([data-on]))').waitFor()
    for (const text of await page.locator('tr[aria-rowindex] td').allTextContents()) seen.add(text)
    await expectNone(tab)
  }
  return seen
}
const missingIn = (seen: ReadonlySet<string>): string[] => texts.filter(text => !seen.has(text))
/** Where to look closer: a template, a broken attribute, an entity. */
const SAMPLE = [2, 45, 190]

describe('S26: hostile texts', () => {
  it('the corpus is alive: without protection it runs or leaves its mark, and the watch sees it', async () => {
    const lure = await openCanary()
    const context = await product.browser.newContext()
    await context.addInitScript(PLANT)
    const page = await context.newPage()
    await page.goto(lure.url)
    const seen: string[] = []
    // But for what would lead away from the page.
    for (const text of xssCorpus(lure.url.replace('http:', '')).filter(one => !one.includes('http-equiv'))) {
      await page.evaluate(html => {
        Reflect.set(globalThis, 'ran', 0)
        document.body.replaceChildren(document.createRange().createContextualFragment(html))
      }, text)
      if ((await intruders(page)).length > 0) seen.push(text)
    }
    expect(texts.length).toBeGreaterThan(200)
    expect(seen.length).toBeGreaterThan(150)
    expect(lure.heard.length).toBeGreaterThan(10)
    await context.close()
    await lure.close()
  })

  it('the API gives each back as it is, as JSON that no browser takes for a page', async () => {
    const sites = await api.call(siteRoutes.list)
    expect(texts.filter(text => !sites.some(site => site.name === text))).toEqual([])
    const answer = await fetch(`${product.server.url}${siteRoutes.list.path}`, {
      headers: { authorization: `Bearer ${api.token()}` },
    })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('lists show each as text: sites, hosts, scanners, metrics in trouble with what the probe said, probes', async () => {
    const tab = await openWatched()
    await enter(tab.page)
    expect(missingIn(await readList(tab, '/site', texts.length + 1))).toEqual([])
    expect(missingIn(await readList(tab, '/host', texts.length))).toEqual([])
    expect(missingIn(await readList(tab, '/scanner/edit', texts.length))).toEqual([])
    expect(missingIn(await readList(tab, '/dashboard/live-view?view=problems', texts.length))).toEqual([])
    await readList(tab, '/metric?q=xss', 50)
    await readList(tab, '/probe/edit', 1)
    expect(await tab.page.getByText(texts[1] ?? '').count()).toBeGreaterThan(0)
    await tab.page.context().close()
  })

  it('titles, breadcrumbs, tabs and fields of pages and forms show it as text', async () => {
    const tab = await openWatched()
    const { page } = tab
    await enter(page)
    for (const index of SAMPLE) {
      const name = texts[index] ?? ''
      const pages: Readonly<Record<string, number | undefined>> = {
        ...{ '/site': fleet.sites[index], '/host': fleet.hosts[index], '/metric': fleet.metrics[index] },
      }
      for (const [path, id] of Object.entries(pages)) {
        await page.goto(`${path}/${id}`)
        await page.getByRole('heading', { level: 1 }).getByText(name, { exact: true }).waitFor()
        await expect.poll(() => page.title()).toContain(name)
        expect(await page.locator('[aria-current=page]').allTextContents()).toContain(name)
        await expectNone(tab)
      }
      const forms = { ...pages, '/scanner': fleet.scanners[index] }
      for (const [path, id] of Object.entries(forms)) {
        await page.goto(`${path}/edit/${id}`)
        await page.locator('main form').first().waitFor()
        await expect
          .poll(() => page.locator('main input').evaluateAll(all => all.map(one => Reflect.get(one, 'value'))))
          .toContain(name)
        await expectNone(tab)
      }
    }
    await page.goto(`/host/${fleet.namedByProbe}`)
    await page.getByRole('cell', { name: `Espace disque ${texts[0]}` }).waitFor()
    const links = await page.getByRole('link').allTextContents()
    expect(texts.slice(0, 24).filter(text => !links.includes(`Espace disque ${text}`))).toEqual([])
    await expectNone(tab)
    await page.goto(`/probe/edit/${fleet.probes[0]}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectNone(tab)
    await page.context().close()
  })

  it('so do the search, the filters, the notifications and the toasts', async () => {
    const tab = await openWatched()
    const { page } = tab
    const push = await interceptAlerts(page)
    await page.clock.install()
    await enter(page)
    const search = page.getByRole('combobox', { name: 'Rechercher' })
    for (const index of SAMPLE) {
      const text = texts[index] ?? ''
      await search.fill(text)
      await page.getByRole('option').filter({ hasText: text }).first().waitFor()
      await expectNone(tab)
      await search.fill(`zz${text}`)
      await page.getByText(`Rien ne correspond à «\u202fzz${text}\u202f»`).waitFor()
      await search.fill('')
      await page.goto(`/host?q=${encodeURIComponent(`zz${text}`)}`)
      await page.getByRole('searchbox').first().waitFor()
      expect(await page.getByRole('searchbox').first().inputValue()).toBe(`zz${text}`)
      await expectNone(tab)
    }

    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByRole('dialog').getByRole('listitem').nth(5).waitFor()
    await expectNone(tab)
    await page.goto('/notifications')
    await page.getByRole('main').getByRole('listitem').nth(40).waitFor()
    await expectNone(tab)

    const toast = page.locator('.mantine-Notification-root')
    for (const [index, text] of texts.filter((_, at) => at % 24 === 0).entries()) {
      await push({ type: 'Error', title: text, message: `${text} !`, link: `/host/${text}`, id: 100_000 + index })
      await toast.getByText(text, { exact: true }).waitFor()
      await toast.getByText(`${text} !`).waitFor()
      await expectNone(tab)
      await page.clock.fastForward('00:21')
      await toast.first().waitFor({ state: 'detached' })
    }
    await page.context().close()
  })

  it('so do the names of the account and of the product', async () => {
    const tab = await openWatched()
    const { page } = tab
    await enter(page)
    const fitting = texts.filter(text => text.length <= 60)
    for (const text of fitting) {
      const { firstName, lastName } = await api.call(accountRoutes.ownUpdate, {
        body: { firstName: text, lastName: text },
      })
      expect([firstName, lastName]).toEqual([text, text])
    }
    for (const text of SAMPLE.map(index => fitting[index % fitting.length] ?? '')) {
      await api.call(parameterRoutes.setConfiguration, { body: { productName: text } })
      await api.call(accountRoutes.ownUpdate, { body: { firstName: text, lastName: text } })
      await page.goto('/user/myaccount')
      await page.getByRole('link', { name: `${text} ${text.toLocaleUpperCase('fr')}` }).waitFor()
      expect(await page.getByRole('contentinfo').textContent()).toContain(text)
      await expectNone(tab)
    }
    await tab.settle()
    await page.getByRole('button', { name: 'Déconnexion' }).click()
    await page.getByPlaceholder('Nom de compte').waitFor()
    await page.getByText(fitting[SAMPLE.at(-1) ?? 0] ?? '', { exact: true }).waitFor()
    await expectNone(tab)
    await page.context().close()
  })
})
