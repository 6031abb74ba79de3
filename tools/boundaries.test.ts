import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ROOT } from './steps.ts'

const planted: string[] = []
afterEach(() => {
  for (const file of planted.splice(0)) rmSync(file, { force: true })
})

/** Cruises one planted file and gives back the names of the rules it breaks. */
const broken = (path: string, source: string): string[] => {
  const file = join(ROOT, path)
  planted.push(file)
  writeFileSync(file, source)
  const run = spawnSync('npm', ['run', '--silent', 'boundaries', '--', '--output-type', 'json'], {
    cwd: ROOT,
    maxBuffer: 1 << 28,
  })
  const { summary } = JSON.parse(run.stdout.toString())
  expect(summary.totalCruised).toBeGreaterThan(100)
  return summary.violations
    .filter((one: { from: string }) => one.from === path)
    .map((one: { rule: { name: string } }) => one.rule.name)
}

describe('the import table is enforced', () => {
  it('engine imports nothing, the probe never judges, a feature never imports a feature', { timeout: 60_000 }, () => {
    expect(
      broken(
        'packages/engine/src/zz-planted.ts',
        "import { fold } from '../../contracts/src/fold.ts'\nexport const planted = fold\n",
      ),
    ).toContain('engine-imports-nothing')
    expect(
      broken(
        'packages/probe/src/zz-planted.ts',
        "import { judge } from '../../engine/src/threshold.ts'\nexport const planted = judge\n",
      ),
    ).toContain('probe-measures-never-judges')
    expect(
      broken(
        'packages/server/src/features/site/zz-planted.ts',
        "import { hostList } from '../host/host.store.ts'\nexport const planted = hostList\n",
      ),
    ).toContain('server-feature-not-feature')
  })
})
