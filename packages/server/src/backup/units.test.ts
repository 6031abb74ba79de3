import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const DEPLOY = join(ROOT, 'packages/server/deploy')
const units = readdirSync(DEPLOY)
const textOf = (unit: string): string => readFileSync(join(DEPLOY, unit), 'utf8')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

it('the units run what is there, with settings that the server knows', () => {
  expect(units.toSorted()).toEqual(['narval-backup.service', 'narval-backup.timer', 'narval.service'])
  for (const unit of units) {
    const text = textOf(unit)
    for (const [, file = ''] of text.matchAll(/^ExecStart=.* tools\/node\.mjs (\S+)/gm))
      expect([unit, file, existsSync(join(ROOT, file))]).toEqual([unit, file, true])
    const settings = [...text.matchAll(/^Environment=(NARVAL_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
    expect(readConfig(Object.fromEntries(settings))).toBeDefined()
  }
  // What these end with, starting again would not mend.
  expect(textOf('narval.service')).toContain('RestartPreventExitStatus=2 3\n')
})

it.skipIf(!hasSystemd)('systemd finds nothing to say about them, and calls the services safe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-units-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const unit of units) writeFileSync(join(folder, unit), textOf(unit).replaceAll('/opt/narval', ROOT))
  const files = units.map(unit => join(folder, unit))
  const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
  const complaints = `${verified.stdout}${verified.stderr}`.split('\n').filter(line => line.includes(folder))
  expect([verified.status, complaints]).toEqual([0, []])
  for (const file of files.filter(name => name.endsWith('.service'))) {
    // 0 is safest, 10 is a service without any protection; systemd calls up to 2 « OK ».
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
      encoding: 'utf8',
    })
    expect([file, rated.status, rated.stdout.split('\n').filter(line => line.includes('Overall'))]).toEqual([
      ...[file, 0],
      expect.anything(),
    ])
  }
})
