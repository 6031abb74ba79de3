import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const DEBIAN = '/usr/lib/postgresql'

export interface PrivatePostgres {
  readonly url: string
  stop(): void
}

const programs = (): string | null => {
  if (!existsSync(DEBIAN)) return null
  const version = readdirSync(DEBIAN)
    .toSorted((a, b) => Number(b) - Number(a))
    .find(one => existsSync(join(DEBIAN, one, 'bin/initdb')))
  return version === undefined ? null : join(DEBIAN, version, 'bin')
}

/** A PostgreSQL of the tests' own, on loopback, in a temporary folder; null when the server's programs are not here. */
export const startPostgres = async (): Promise<PrivatePostgres | null> => {
  const folder = programs()
  if (folder === null) return null
  const data = mkdtempSync(join(tmpdir(), 'narval-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString())
    chownSync(data, id('-u'), id('-g'))
  }
  const run = (program: string, ...args: string[]) => {
    const command = [join(folder, program), ...args]
    // PostgreSQL refuses to run as root.
    if (isRoot) execFileSync('runuser', ['-u', 'postgres', '--', ...command], { stdio: 'ignore', cwd: data })
    else execFileSync(command[0] ?? '', command.slice(1), { stdio: 'ignore', cwd: data })
  }
  const port = await freePort(8_500, 10_000)
  const cluster = join(data, 'cluster')
  run('initdb', '-D', cluster, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8')
  run(
    'pg_ctl',
    '-D',
    cluster,
    '-o',
    `-p ${port} -k ${data} -c listen_addresses=127.0.0.1 -c fsync=off`,
    '-l',
    join(data, 'log'),
    '-w',
    'start',
  )
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      try {
        run('pg_ctl', '-D', cluster, '-m', 'immediate', '-w', 'stop')
      } finally {
        rmSync(data, { recursive: true, force: true })
      }
    },
  }
}
