import type { Page } from 'playwright-core'
import { quantile } from './kit.ts'

/** In the page: the time of the frame after the one in which a row stands in the list of this address. */
const paintedAt = (path: string): string => `new Promise(resolve => {
  const look = () => location.pathname !== '${path}' || document.querySelector('tr[aria-rowindex="2"]') === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
  look()
})`

/** ms from the navigation to painted rows: the document anew, everything of it from the browser's cache but what the server says not to keep. */
export const loaded = async (page: Page, path: string): Promise<number> => {
  await page.goto(path, { waitUntil: 'commit' })
  return page.evaluate<number>(paintedAt(path))
}

/** ms from the click on its entry of the menu, on another page that rests, to painted rows. */
export const turned = async (page: Page, path: string, from: string): Promise<number> => {
  await page.goto(from)
  await page.locator(`a[href="${path}"]`).first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  return page.evaluate<number>(`(() => {
    const from = performance.now()
    document.querySelector('a[href="${path}"]').click()
    return ${paintedAt(path)}.then(at => at - from)
  })()`)
}

/** So many times of one after the other, ms. */
export const rounds = async (count: number, work: () => Promise<number>): Promise<number[]> => {
  const times: number[] = []
  for (let round = 0; round < count; round++) times.push(await work())
  return times
}

/** « p50 / p95 ms ». */
export const pair = (values: readonly number[]): string =>
  `${quantile(values, 0.5).toFixed(0)} / ${quantile(values, 0.95).toFixed(0)} ms`
