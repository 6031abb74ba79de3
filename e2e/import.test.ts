import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { CSRF_COOKIE, CSRF_HEADER, hostRoutes, IMPORT_MAX_BYTES, siteRoutes } from '@narval/contracts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const product = useProduct()
const { api, folder, open } = product

/** Chooses a file as a person does, by the button. */
const choose = async (page: Page, name: string, content: Buffer | string): Promise<void> => {
  // By its path: a large one would take long on its way to the browser.
  const path = join(folder, name)
  writeFileSync(path, content)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choisir un fichier' }).click(),
  ])
  await chooser.setFiles(path)
}

/** Whether this heading has the focus and stands in the window, under the bar that stays. */
const arrived = (page: Page, name: string): Promise<boolean> =>
  page.getByRole('heading', { name, exact: true }).evaluate(heading => {
    const { top, bottom } = heading.getBoundingClientRect()
    return heading === document.activeElement && top >= 48 && bottom <= innerHeight
  })

describe('« Importer »', () => {
  it('takes a Windows-1252 file through its check, its faults by line, and its import', async () => {
    const { page } = await open('/site/edit')
    await page.getByRole('link', { name: 'Importer' }).click()
    await page.waitForURL('**/site/edit/import')
    await page.getByRole('heading', { level: 1, name: 'Importer des sites', exact: true }).waitFor()
    expect(await page.title()).toContain('Importer des sites')
    const titles = 'Code;Nom;Ville;Type;Remarque\r\n'
    await choose(
      page,
      'sites.csv',
      Buffer.from(`${titles}RNS-1;Siège;Rennes;Agence neuve;x\r\nRNS 2;Dépôt;Rennes;;x\r\n`, 'latin1'),
    )
    await page.getByText('Windows-1252').waitFor()
    await page.getByText('point-virgule').waitFor()
    expect(await page.getByLabel('Champ de la colonne «\u202fVille\u202f»').inputValue()).toBe('city')
    expect(await page.getByLabel('Champ de la colonne «\u202fRemarque\u202f»').inputValue()).toBe('')
    const run = page.getByRole('button', { name: 'Importer', exact: true })
    expect(await run.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.getByText('2\u202ferreurs', { exact: false }).first().waitFor()
    await expect.poll(() => arrived(page, 'Vérification')).toBe(true)
    const errors = page.getByRole('region', { name: 'Erreurs par ligne du fichier' })
    await errors.getByText('Lettres, chiffres et . _ - seulement.').waitFor()
    await errors.getByText(/Agence neuve/).waitFor()
    expect(await run.isDisabled()).toBe(true)

    // Corrected, and the missing type asked for.
    await page.getByRole('button', { name: 'Choisir un autre fichier' }).click()
    await choose(
      page,
      'sites.csv',
      Buffer.from(`${titles}RNS-1;Siège;Rennes;Agence neuve;x\r\nRNS-2;Dépôt;Rennes;;x\r\n`, 'latin1'),
    )
    await page.getByLabel('Créer les types de site qui manquent').check()
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.getByText('Aucune erreur\u202f: le fichier peut être importé.').waitFor()
    await page.getByRole('region', { name: 'Aperçu des premières lignes' }).getByText('Rennes').first().waitFor()
    await run.click()
    await page.getByText('Import terminé').waitFor()
    await expect.poll(() => arrived(page, 'Résultat')).toBe(true)
    const sites = await api.call(siteRoutes.list)
    expect(sites.map(site => [site.code, site.name, site.typeName])).toEqual(
      expect.arrayContaining([
        ['RNS-1', 'Siège', 'Agence neuve'],
        ['RNS-2', 'Dépôt', null],
      ]),
    )
    await page.getByRole('link', { name: 'Voir la liste' }).click()
    await page.getByText('RNS-2').first().waitFor()
  })

  it('imports equipment with its ping; what is no CSV, or too large, is told in French before anything is asked', async () => {
    const { page } = await open('/host/edit/import')
    await choose(page, 'classeur.xlsx', 'PK\u0003\u0004')
    await page.getByText('enregistrez-le au format CSV', { exact: false }).waitFor()
    await choose(page, 'grand.csv', Buffer.alloc(21 * 1024 * 1024, 'a'))
    await page.getByText('Ce fichier dépasse 20\u202fMo.').waitFor()
    await choose(page, 'hosts.csv', 'Nom,Adresse,Site,Étiquettes\nsrv-rns,192.0.2.7,RNS-1,"a, b"\n')
    await page.getByText('virgule', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.getByText('Aucune erreur\u202f: le fichier peut être importé.').waitFor()
    await page.getByRole('button', { name: 'Importer', exact: true }).click()
    await page.getByText('Import terminé').waitFor()
    const hosts = await api.call(hostRoutes.list)
    expect(hosts.map(host => [host.name, host.siteName, host.scanners, host.tags])).toContainEqual([
      'srv-rns',
      'Siège',
      1,
      ['a', 'b'],
    ])
  })

  it.each([
    { dark: false, width: 1440 },
    { dark: true, width: 390 },
  ])('axe-core finds nothing of weight, and nothing is wider than the page ($width px, dark: $dark)', async options => {
    const { page } = await open('/site/edit/import', options)
    await page.getByText('Déposez un fichier CSV ici').waitFor()
    expect(await findings(page)).toEqual([])
    await choose(
      page,
      'sites.csv',
      'Code;Nom;Latitude;Adresse\nRNS-1;Siège;48,11;"12, rue de la Monnaie, une adresse assez longue pour déborder d’un petit écran"\nX Y;;abc;\n',
    )
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.getByRole('region', { name: 'Erreurs par ligne du fichier' }).waitFor()
    expect(await findings(page)).toEqual([])
    const wider = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    expect(await page.evaluate(wider)).toBeLessThanOrEqual(0)
    const shots = process.env.NARVAL_TEST_SHOTS
    if (shots !== undefined) await page.screenshot({ path: `${shots}/import-${options.width}.png`, fullPage: true })
  })
})

describe('a file of 50 MB', () => {
  const residentMb = (): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${product.server.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) /
    1_024
  const SIZE = 50 * 1024 * 1024
  const SLICE = Buffer.alloc(64 * 1024, 'a;b\n')
  const PAUSE_MS = 20

  /** Sends so many bytes, slowly enough for the answer to come first; `length` says how many beforehand. */
  const send = async (csrf: string, length: boolean) =>
    new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
      const call = request(`${product.server.url}/api/Import/File?entity=site&name=grand.csv`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api.token()}`,
          cookie: `${CSRF_COOKIE}=${csrf}`,
          [CSRF_HEADER]: csrf,
          'content-type': 'text/csv',
          ...(length ? { 'content-length': SIZE } : {}),
        },
      })
      let sent = 0
      let answered = false
      const more = (): void => {
        if (answered || call.destroyed) return
        if (sent >= SIZE) return void call.end()
        sent += SLICE.length
        // Past the limit the answer is on its way: what is written then may cut it off.
        const next = (): void => void (sent <= IMPORT_MAX_BYTES ? more() : setTimeout(more, PAUSE_MS))
        if (call.write(SLICE)) setImmediate(next)
        else call.once('drain', next)
      }
      call.on('response', answer => {
        answered = true
        let body = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          body += chunk
        })
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, type: String(answer.headers['content-type']), body })
          call.destroy()
        })
      })
      call.on('error', reject)
      more()
    })

  it.each([true, false])('is answered 413 in French, and not kept in memory (its length said: %s)', async length => {
    const offered = await fetch(`${product.server.url}/api/Claim/User/Get`, {
      headers: { authorization: `Bearer ${api.token()}` },
    })
    const csrf =
      offered.headers
        .getSetCookie()
        .find(one => one.startsWith(CSRF_COOKIE))
        ?.slice(CSRF_COOKIE.length + 1)
        .split(';')[0] ?? ''
    const before = residentMb()
    const answer = await send(csrf, length)
    expect([answer.status, answer.type]).toEqual([413, 'application/problem+json; charset=utf-8'])
    expect(JSON.parse(answer.body).errors[0]).toMatch(/Mo\.$|trop grand/)
    expect(residentMb() - before).toBeLessThan(length ? 12 : 60)
  })
})
