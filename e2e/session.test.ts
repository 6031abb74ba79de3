import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openContext } from './kit/browser.ts'
import { createPerson, type Person } from './kit/client.ts'
import { enter, useProduct } from './kit/product.ts'
import {
  item,
  keys,
  LIVE_VIEW,
  LOGOUT,
  newTab,
  pathOf,
  REFRESH,
  SIGNED_IN_KEYS,
  SIGNED_OUT_KEYS,
  settled,
  signedOut,
} from './kit/session.ts'

let claire: Person
const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ server }) => {
    claire = await createPerson(server.url, api, 'claire')
  },
})
const { api } = product

/** What a call from outside needs to be this page's. */
const asPage = async (page: Page): Promise<RequestInit> => {
  const [token, cookie] = [await item(page, 'jwt'), await page.evaluate(() => document.cookie)]
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? ''
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, cookie, 'x-xsrf-token': csrf, 'content-type': 'application/json' },
    body: 'null',
  }
}

describe('S28: what a session leaves behind', () => {
  it('signing out keeps the device and the version only; « back » shows nothing; every answer of the API is no-store', async () => {
    const { page, faults } = await newTab(product)
    const stored: string[] = []
    page.on('response', response => {
      if (pathOf(response.request()).startsWith('/api/') && response.headers()['cache-control'] !== 'no-store')
        stored.push(response.url())
    })
    await enter(page, claire)
    expect(await keys(page)).toEqual(SIGNED_IN_KEYS)
    const uuid = await item(page, 'uuid')
    await page.goto('/host')
    await page.getByRole('heading', { name: 'Équipements' }).waitFor()
    const token = await item(page, 'jwt')
    await page.getByRole('button', { name: 'Déconnexion' }).click()
    await signedOut(page)
    expect(await keys(page)).toEqual(SIGNED_OUT_KEYS)
    expect([await item(page, 'uuid'), await item(page, 'version')]).toEqual([uuid, 'v2.0.1'])
    for (const step of ['back', 'back', 'forward'] as const) {
      await (step === 'back' ? page.goBack() : page.goForward())
      await signedOut(page)
      expect(await page.locator('[data-shell]').count()).toBe(0)
    }
    const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, document.cookie]))
    expect(kept).not.toContain(token)
    expect(stored).toEqual([])
    expect(settled(faults)).toEqual([])
    await page.context().close()
  })

  it('so does a token that ends unrenewed, a refused refresh, and another storage version', async () => {
    const context = await openContext(product.browser, product.server.url)
    const { page, faults } = await newTab(product, context)
    await page.clock.install()
    await enter(page, claire)
    const uuid = await item(page, 'uuid')
    await page.route(`**${REFRESH}`, route => route.abort())
    await page.clock.fastForward('11:00')
    await signedOut(page)
    expect(await keys(page)).toEqual(SIGNED_OUT_KEYS)
    await page.unroute(`**${REFRESH}`)

    await enter(page, claire)
    const logout = await asPage(page)
    await page.goto('about:blank')
    expect((await fetch(`${product.server.url}${LOGOUT}`, logout)).status).toBe(204)
    await page.goto('/')
    await signedOut(page)
    expect([await keys(page), await item(page, 'uuid')]).toEqual([SIGNED_OUT_KEYS, uuid])

    await enter(page, claire)
    await page.evaluate(() => localStorage.setItem('version', 'v2.0.0'))
    await page.reload()
    await signedOut(page)
    expect(await keys(page)).toEqual(['version'])
    expect(await item(page, 'version')).toBe('v2.0.1')
    expect(settled(faults)).toEqual([])
    await context.close()
  })

  it('a session of which the token, the refresh token or the device is missing is none (spec §4)', async () => {
    const context = await openContext(product.browser, product.server.url)
    const { page } = await newTab(product, context)
    await enter(page, claire)
    for (const missing of ['jwt', 'refreshToken', 'uuid']) {
      const whole = await page.evaluate(() => ({ ...localStorage }))
      await page.evaluate(key => localStorage.removeItem(key), missing)
      await page.reload()
      await signedOut(page)
      expect((await keys(page)).filter(key => !SIGNED_OUT_KEYS.includes(key))).toEqual([])
      await page.evaluate(all => {
        for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value)
      }, whole)
      await page.goto('/')
      await page.waitForURL(`**${LIVE_VIEW}`)
    }
    await context.close()
  })
})
