import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serviceRoutes } from '@narval/contracts'
import { describe, expect, it } from 'vitest'
import { findings } from './kit/accessibility.ts'
import { useProduct } from './kit/product.ts'

const product = useProduct({ env: { NARVAL_LOCAL_PROBE: 'on', NARVAL_SILENCE_SECONDS: '15' } })

/** The processes that a process started: of the server, its local probe alone. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

/** Bytes of the files of a folder whose names begin so. */
const bytesOf = (folder: string, start: string): number =>
  readdirSync(folder)
    .filter(name => name.startsWith(start))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
const sizes = () => ({
  database: bytesOf(product.folder, 'narval.db'),
  journal: bytesOf(join(product.folder, 'samples'), 'journal.db'),
  anchor: bytesOf(product.folder, 'journal-fin.json'),
})

describe('Services Narval', () => {
  it('shows by itself that a probe stands still and that it goes on; its row opens with all that is known, by keyboard', async () => {
    const { page } = await product.open('/system')
    const row = page.getByRole('row').filter({ hasText: 'Sonde locale' })
    await row.getByText('OK', { exact: true }).waitFor({ timeout: 30_000 })
    const [probe = 0] = childrenOf(product.server.pid)
    process.kill(probe, 'SIGSTOP')
    try {
      await row.getByText('N’appelle plus.').waitFor({ timeout: 40_000 })
      // The gravest stands first.
      expect(await page.getByRole('row').nth(1).textContent()).toContain('Sonde locale')
      expect(await findings(page)).toEqual([])
    } finally {
      process.kill(probe, 'SIGCONT')
    }
    await row.getByText('OK', { exact: true }).waitFor({ timeout: 30_000 })

    const judging = page.getByRole('row').filter({ hasText: 'Jugement des états' })
    await judging.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Jugement des états' })
    await drawer.getByText('Résultats jugés').waitFor()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })

  it('tells the sizes that the files have', async () => {
    const before = sizes()
    const fromMs = Date.now()
    const read = () => product.api.call(serviceRoutes.storage)
    await expect
      .poll(async () => Date.parse((await read()).at ?? ''), { timeout: 45_000, interval: 500 })
      .toBeGreaterThan(fromMs)
    const { parts, disk, forecast } = await read()
    const after = sizes()
    for (const part of ['database', 'journal', 'anchor'] as const) {
      const told = parts.find(one => one.part === part)?.bytes ?? 0
      // Written meanwhile, they only grow.
      expect(told, part).toBeGreaterThanOrEqual(before[part])
      expect(told, part).toBeLessThanOrEqual(after[part])
      expect(told, part).toBeGreaterThan(0)
    }
    expect(disk?.freeBytes ?? 0).toBeGreaterThan(0)
    expect(forecast).toMatchObject({ outlook: 'early', fullAt: null })
  })
})
