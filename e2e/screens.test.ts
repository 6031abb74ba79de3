import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { faultsOf } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { type Screen, SEEN_ELSEWHERE, screensOf } from './kit/screens.ts'
import { createTree } from './kit/tree-fleet.ts'

const FEATURES = fileURLToPath(new URL('../packages/console/src/features', import.meta.url))
const ATTEMPTS = 3
/** Screens that hubs keep up to date, by the names of their pictures. */
const LIVE: readonly string[] = [
  ...['general', 'incidents', 'maintenances', 'statuts', 'carte', 'topologie', 'equipements-grille', 'sites', 'site'],
  ...['equipements', 'equipement', 'metriques', 'metrique', 'graphique', 'sondes', 'notifications', 'journal'],
  ...['services', 'commentaires', 'main-courante', 'releves'],
]

let screens: readonly Screen[] = []
const product = useProduct({
  async prepare({ server, api }) {
    const tree = await createTree(server.url, api, { name: 'Rennes', size: 4, attempts: ATTEMPTS })
    await tree.say(tree.names, true)
    // The router has nothing above it that could explain it.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) await tree.say([tree.router], false)
    // Its incident opens once the last result is judged.
    for (let look = 0; screens.length === 0; look++) {
      screens = await screensOf(api).catch(error => (look < 100 ? [] : Promise.reject(error)))
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  },
})

describe('every screen', () => {
  it('is in the list of screens: no page is left out', () => {
    const pages = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter(file =>
      /-pages?\.tsx$/.test(file),
    )
    const listed = new Set([...screens.map(({ page }) => page), ...SEEN_ELSEWHERE])
    expect(pages.filter(page => !listed.has(page))).toEqual([])
  })

  // All four looks of each are seen by `npm run pictures`; here each screen in one of the two that differ most.
  it('has no serious finding of axe-core, and is no wider than the window', async () => {
    const look = async (width: number, dark: boolean, own: readonly Screen[]): Promise<string[]> => {
      const { page } = await product.open('/site', { width, dark, apart: dark })
      const found: string[] = []
      for (const { name, path } of own) {
        await page.goto(path)
        await page.getByRole('main').waitFor()
        await page.waitForLoadState('networkidle')
        found.push(...(await faultsOf(page)).map(fault => `${name} (${width} px): ${fault}`))
      }
      return found
    }
    const found = await Promise.all([
      look(
        1440,
        false,
        screens.filter((_, place) => place % 2 === 0),
      ),
      look(
        390,
        true,
        screens.filter((_, place) => place % 2 === 1),
      ),
    ])
    expect(found.flat()).toEqual([])
  })

  it('that is live says within 10 s that a frozen server is heard no more, and goes on by itself once it is', async () => {
    const tabs = new Map<string, Page>()
    for (const { name, path } of screens.filter(screen => LIVE.includes(screen.name))) {
      const { page } = await product.open(path)
      tabs.set(name, page)
    }
    const eachSays = async (text: string, timeout: number): Promise<string[]> => {
      const missing = await Promise.all(
        [...tabs].map(([name, page]) =>
          page
            .getByText(text, { exact: true })
            .first()
            .waitFor({ timeout })
            .then(
              () => [],
              () => [name],
            ),
        ),
      )
      return missing.flat()
    }
    expect(await eachSays('En direct', 30_000)).toEqual([])
    product.server.kill('SIGSTOP')
    const silent = await eachSays('Liaison interrompue', 10_000)
    product.server.kill('SIGCONT')
    expect(silent).toEqual([])
    expect(await eachSays('En direct', 30_000)).toEqual([])
    expect(tabs.size).toBe(LIVE.length)
  })
})
