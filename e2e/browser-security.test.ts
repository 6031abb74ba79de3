import { ALL_ROUTES, CLAIMS } from '@narval/contracts'
import { afterAll, describe, expect, it } from 'vitest'
import { openContext, openPage, openTab } from './kit/browser.ts'
import { type Canary, openCanary } from './kit/canary.ts'
import { createPerson, type Person } from './kit/client.ts'
import { createTcpScanners, SELDOM_S, type TcpScanner } from './kit/fleet.ts'
import { enter, useProduct } from './kit/product.ts'
import { approvedWireProbe, type WireProbe } from './kit/wire-probe.ts'

let claire: Person
let probe: WireProbe
let tcp: TcpScanner
let canary: Canary

const product = useProduct({
  env: { NARVAL_LOG: 'fatal' },
  prepare: async ({ api, server }) => {
    canary = await openCanary()
    claire = await createPerson(server.url, api, 'claire')
    probe = await approvedWireProbe(server.url, api)
    const [made] = await createTcpScanners(api, { probeId: probe.id, intervalSeconds: SELDOM_S, name: 'srv-essai' })
    if (made === undefined) throw new Error('no scanner')
    tcp = made
  },
})
afterAll(() => canary.close())

/** Every address of the menu and of what it leads to. */
const screens = (): string[] => [
  ...['/dashboard/live-view', '/dashboard/status-view', '/dashboard/host-status'],
  ...['/site', '/site/1', '/site/edit', '/site/edit/new', '/site/edit/1'],
  ...['/host', `/host/${tcp.hostId}`, '/host/edit', '/host/edit/new', `/host/edit/${tcp.hostId}`],
  ...['/metric', `/metric/${tcp.connectTime.id}`, '/metric/edit', '/metric/edit/new'],
  ...[`/metric/edit/${tcp.connectTime.id}`, '/customfield/edit', '/scanner/edit', '/scanner/edit/new'],
  ...[`/scanner/edit/${tcp.scanner.id}`, '/user/edit', '/user/group', '/user/myaccount', '/probe/edit'],
  ...[
    `/probe/edit/${probe.id}`,
    '/system',
    '/log',
    '/comments',
    '/password-reset',
    '/404',
    '/api/docs',
    '/notifications',
  ],
]
const directivesOf = (policy: string | null): Map<string, string> =>
  new Map((policy ?? '').split('; ').map(one => [one.split(' ')[0] ?? '', one.split(' ').slice(1).join(' ')]))

describe('S25: the content policy', () => {
  it('each HTML answer bears it, with a nonce of its own; nothing in it is inline', async () => {
    const nonces = new Set<string>()
    const paths = ['/', '/login', '/nulle/part', ...screens()]
    for (const path of paths) {
      const answer = await fetch(`${product.server.url}${path}`)
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
      const policy = directivesOf(answer.headers.get('content-security-policy'))
      const nonce = /^'self' 'nonce-([\w-]{22})'$/.exec(policy.get('style-src') ?? '')?.[1] ?? ''
      nonces.add(nonce)
      expect(Object.fromEntries(policy)).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self'",
        'object-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'form-action': "'self'",
      })
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/)
      const html = await answer.text()
      expect(html).toContain(`content="${nonce}"`)
      for (const [, attributes = '', body = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
        expect(attributes).toMatch(/\bsrc="\/assets\/[\w-]+\.js"/)
        expect(body.trim()).toBe('')
      }
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
    }
    expect(nonces.size).toBe(paths.length)
  })

  it('a walk over every screen and panel: no violation, no error, no other host', async () => {
    const { page, faults } = await openPage(product.browser, product.server.url)
    await enter(page)
    for (const path of screens()) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      expect([path, faults]).toEqual([path, []])
    }
    const menu = page.getByRole('navigation', { name: 'Menu principal' })
    for (const group of ['Édition', 'Utilisateurs']) await menu.getByRole('button', { name: group }).click()
    const links = await menu.getByRole('link').evaluateAll(all => all.map(one => one.getAttribute('href')))
    expect(links.length).toBeGreaterThan(12)
    expect(links.filter(link => !screens().includes(link ?? ''))).toEqual([])
    await page.goto(`/host/edit/${tcp.hostId}`)
    for (const button of ['Commentaires', 'Notifications', 'Contact', 'Supprimer'] as const) {
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').first().waitFor()
      await page.keyboard.press('Escape')
    }
    await page.getByRole('combobox', { name: 'Rechercher' }).fill('srv')
    await page.getByRole('option').first().waitFor()
    for (const path of ['/scanner/edit/new', '/guide/']) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
    }
    await page.waitForLoadState('networkidle')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('what is injected does not run, reaches no other host, and is reported', async () => {
    const { page, faults } = await openPage(product.browser, product.server.url)
    await enter(page)
    const ran = await page.evaluate(async evil => {
      const run = `globalThis.ran = (globalThis.ran ?? '') +`
      const add = (name: string, attributes: Readonly<Record<string, string>>, text = ''): HTMLElement => {
        const element = document.createElement(name)
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
        element.textContent = text
        document.body.append(element)
        return element
      }
      add('script', {}, `${run} 'inline'`)
      add('script', { src: `${evil}/script.js` })
      add('script', { src: `data:text/javascript,${run} 'data'` })
      add('img', { src: 'data:,', onerror: `${run} 'onerror'` })
      add('img', { src: `${evil}/img` })
      add('a', { href: `javascript:${run} 'link'` }).click()
      add('iframe', { srcdoc: `<script>parent.${run} 'srcdoc'</script>` })
      add('iframe', { src: `javascript:parent.${run} 'frame'` })
      add('iframe', { src: `${evil}/frame` })
      add('object', { data: `${evil}/object` })
      add('link', { rel: 'stylesheet', href: `${evil}/style.css` })
      add('style', {}, `body { background: url(${evil}/css) }`)
      add('base', { href: `${evil}/` })
      const form = document.createElement('form')
      form.action = `${evil}/form`
      document.body.append(form)
      form.submit()
      // Not at once: what a debugger's call runs by itself may make code out of text.
      setTimeout(() => Reflect.get(globalThis, 'eval')(`${run} 'eval'`))
      await fetch(`${evil}/fetch`).catch(() => null)
      await new Promise(ended => {
        const socket = new WebSocket(`${evil.replace('http', 'ws')}/socket`)
        socket.onerror = ended
      }).catch(() => null)
      navigator.sendBeacon(`${evil}/beacon`)
      // Whatever would still run has had a turn by then.
      await fetch('/api/Parameter/Public')
      await new Promise(resolve => setTimeout(resolve, 300))
      return Reflect.get(globalThis, 'ran') ?? ''
    }, canary.url)
    expect(ran).toBe('')
    expect(canary.heard).toEqual([])
    expect(faults.filter(fault => fault.startsWith('console: policy:')).length).toBeGreaterThan(8)
    expect(new URL(page.url()).origin).toBe(product.server.url)
    await page.context().close()
  })

  it('another site cannot frame the console', async () => {
    const frame = await openCanary(`<iframe src="${product.server.url}/login"></iframe>`)
    const page = await (await product.browser.newContext()).newPage()
    await page.goto(frame.url)
    await expect
      .poll(() =>
        page
          .frames()
          .map(one => one.url())
          .at(-1),
      )
      .toBe('chrome-error://chromewebdata/')
    await page.context().close()
    await frame.close()
  })
})

describe('S29: rights edited in local storage', () => {
  it('may show menus, open no call of the API, and are corrected at the next start', async () => {
    const admin = await openPage(product.browser, product.server.url)
    await enter(admin.page)
    const cached = await admin.page.evaluate(() => localStorage.getItem('user') ?? '')
    await admin.page.context().close()

    const context = await openContext(product.browser, product.server.url)
    const { page } = await openTab(context, product.server.url)
    await enter(page, claire)
    await page.evaluate(user => localStorage.setItem('user', user), cached)
    await page.route('**/api/Account/Get', route => route.abort())
    await page.reload()
    const menu = page.getByRole('navigation', { name: 'Menu principal' })
    await menu.getByRole('link', { name: 'Sonde', exact: true }).waitFor()
    const guarded = ALL_ROUTES.filter(({ access }) => CLAIMS.some(claim => claim === access)).map(route => ({
      method: route.method,
      path: route.path.replace(/:\w+/g, '1'),
    }))
    expect(guarded.length).toBeGreaterThan(25)
    const answers = await page.evaluate(
      calls =>
        Promise.all(
          calls.map(async ({ method, path }) => {
            const csrf = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
            const headers = { authorization: `Bearer ${localStorage.getItem('jwt')}`, 'x-xsrf-token': csrf }
            return `${method} ${path} ${(await fetch(path, { method, headers })).status}`
          }),
        ),
      guarded,
    )
    expect(answers.filter(answer => !answer.endsWith(' 403'))).toEqual([])
    await menu.getByRole('link', { name: 'Sonde', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/probe_write|refusée|droit/)
      .first()
      .waitFor()

    await page.unroute('**/api/Account/Get')
    await page.reload()
    await menu.getByRole('link', { name: 'Sites', exact: true }).waitFor()
    expect(await menu.getByText('ADMINISTRATION').count()).toBe(0)
    await page.getByText('Vous n’avez pas accès à cette page').waitFor()
    await context.close()
  })
})
