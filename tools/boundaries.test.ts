import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from './steps.ts'

const COPIED = ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.base.json', 'tsconfig.json']
const FOLDERS = ['packages', 'e2e', 'bench', 'tools']

/** A copy of all sources, where nobody else looks; installed packages are those of the project. */
const copySources = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'narval-boundaries-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  const isSource = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path))
  for (const one of [...COPIED, ...FOLDERS])
    cpSync(join(ROOT, one), join(copy, one), { recursive: true, filter: isSource })
  const modules = join(copy, 'node_modules')
  mkdirSync(join(modules, '@narval'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@narval') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(modules, '@narval', name))
  return copy
}

/** What is forbidden, by the file where it is planted. */
const PLANTED = {
  'packages/engine/src/zz-planted.ts': ["import { fold } from '../../contracts/src/fold.ts'", 'engine-imports-nothing'],
  'packages/probe/src/zz-planted.ts': [
    "import { judge } from '../../engine/src/threshold.ts'",
    'probe-measures-never-judges',
  ],
  'packages/server/src/features/site/zz-planted.ts': [
    "import { hostList } from '../host/host.store.ts'",
    'server-feature-not-feature',
  ],
} as const

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

describe('the import table is enforced', () => {
  it('engine imports nothing, the probe never judges, a feature never imports a feature', { timeout: 60_000 }, () => {
    const copy = copySources()
    for (const [path, [source]] of Object.entries(PLANTED)) writeFileSync(join(copy, path), `${source}\n`)
    const run = spawnSync('npm', ['run', '--silent', 'boundaries', '--', '--output-type', 'json'], {
      cwd: copy,
      maxBuffer: 1 << 28,
    })
    const { summary }: { summary: { totalCruised: number; violations: readonly Violation[] } } = JSON.parse(
      run.stdout.toString(),
    )
    expect(summary.totalCruised).toBeGreaterThan(100)
    const broken = (path: string) => summary.violations.filter(one => one.from === path).map(one => one.rule.name)
    for (const [path, [, rule]] of Object.entries(PLANTED)) expect(broken(path), path).toContain(rule)
  })
})
