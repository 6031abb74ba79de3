import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'
import { type Screen, SEEN_ELSEWHERE, screensOf } from './kit/screens.ts'
import { createTree } from './kit/tree-fleet.ts'

const FEATURES = fileURLToPath(new URL('../packages/console/src/features', import.meta.url))
const ATTEMPTS = 3

let screens: readonly Screen[] = []
const product = useProduct({
  async prepare({ server, api }) {
    const tree = await createTree(server.url, api, { name: 'Rennes', size: 4, attempts: ATTEMPTS })
    await tree.say(tree.names, true)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) await tree.say([tree.hosts[0] ?? ''], false)
    await expect
      .poll(
        async () => {
          screens = await screensOf(api).catch(() => [])
          return screens.length
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0)
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

  it.each([
    { width: 1440, dark: false },
    { width: 390, dark: true },
  ])('has no serious finding of axe-core, and is no wider than the window ($width px, dark: $dark)', async options => {
    const { page } = await product.open('/site', options)
    const found: string[] = []
    for (const { name, path } of screens) {
      await page.goto(path)
      await page.getByRole('main').waitFor()
      await page.waitForLoadState('networkidle')
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      )
      if (wide) found.push(`${name}: wider than the window`)
      found.push(...(await findings(page)).map(finding => `${name}: ${finding}`))
    }
    expect(found).toEqual([])
  })
})
