import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The small one of two: a page reads it in half the time. */
const CHECKER = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** How a page may be looked at: both themes, a wide screen and a phone. */
export const LOOKS = [
  { width: 1440, dark: false },
  { width: 1440, dark: true },
  { width: 390, dark: false },
  { width: 390, dark: true },
] as const

/** Shows a page as another screen would, without loading it anew. */
export const wear = async (page: Page, { width, dark }: { width: number; dark: boolean }): Promise<void> => {
  await page.setViewportSize({ width, height: 844 })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
}

/** Waits until nothing moves or fades any more: half faded in, a text has a contrast that nobody will read it with. Endless animations (a spinner) are not waited for. */
const stillness = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const isMoving = (one: Animation): boolean =>
      one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime)
    for (let still = 0; still < 6; ) {
      await new Promise(resolve => requestAnimationFrame(resolve))
      still = document.getAnimations().some(isMoving) ? 0 : still + 1
    }
  })

/** Findings of axe-core on what the page shows now, by rule with where; `grave` keeps the serious and the critical ones. */
export const findings = async (page: Page, which: 'all' | 'grave' = 'grave'): Promise<string[]> => {
  // More than half a megabyte: once a page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(CHECKER)
  await stillness(page)
  const found = await page.evaluate(async () => {
    const checker: typeof axe = Reflect.get(globalThis, 'axe')
    const { violations } = await checker.run(document, { resultTypes: ['violations'] })
    return violations.map(one => ({
      impact: one.impact ?? '',
      text: `${one.id}: ${one.nodes.map(node => node.target.join(' ')).join(', ')}`,
    }))
  })
  const isGrave = (impact: string): boolean => impact === 'serious' || impact === 'critical'
  return found.filter(one => which === 'all' || isGrave(one.impact)).map(one => one.text)
}

/** What must not be on any page: serious findings, and a page wider than its window. */
export const faultsOf = async (page: Page): Promise<string[]> => {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  return [...(isWide ? ['wider than the window'] : []), ...(await findings(page))]
}
