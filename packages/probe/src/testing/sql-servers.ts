import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { TestAuthority } from './certificates.ts'
import { freePort } from './ports.ts'
import { findProgram } from './programs.ts'
import { isRoot, type TestService } from './service.ts'

/** The password of the account `supervision`, with signs that have to be written with care. */
export const SQL_PASSWORD = "canari-'é-91fa"
const PASSWORD = SQL_PASSWORD.replace("'", "''")

const PG = '/usr/lib/postgresql'
const version = existsSync(PG) ? readdirSync(PG).toSorted((a, b) => Number(b) - Number(a))[0] : undefined
const initdb = findProgram('initdb', [`${PG}/${version}/bin`])
const postgres = findProgram('postgres', [`${PG}/${version}/bin`])
const mariadbd = findProgram('mariadbd')
const install = findProgram('mariadb-install-db')

const idOf = (user: string): number => Number(execFileSync('id', ['-u', user]).toString())
/** A folder of the server's own user, with a certificate that it alone may read. */
const prepare = (service: TestService, authority: TestAuthority, uid: number): string => {
  chmodSync(service.folder, 0o755)
  const own = join(service.folder, 'own')
  mkdirSync(own)
  const { keyFile, certFile } = authority.issue('DNS:base.test', 90)
  copyFileSync(keyFile, join(own, 'key'))
  copyFileSync(certFile, join(own, 'cert'))
  chmodSync(join(own, 'key'), 0o600)
  for (const path of [own, join(own, 'key'), join(own, 'cert')]) chownSync(path, uid, uid)
  return own
}

/** A real database server of a test's own. */
export interface SqlServer {
  readonly name: string
  readonly dialect: 'postgresql' | 'mysql'
  readonly missing: boolean
  readonly start: (service: TestService, authority: TestAuthority) => Promise<number>
  /** A statement that begins as a reading and writes; one that lasts; rows without end; a fault of syntax. */
  readonly writing: string
  readonly slow: string
  readonly endless: string
}

/** The certificate is for `base.test`; a table `orders` of 30 rows has a column `state` of 0, 1 and 2. */
export const SQL_SERVERS: readonly SqlServer[] = [
  {
    name: 'PostgreSQL (needs postgresql and root)',
    dialect: 'postgresql',
    missing: initdb === null || postgres === null || !isRoot,
    writing: 'with new as (insert into orders (state) values (1) returning id) select * from new',
    slow: 'select pg_sleep(30)',
    endless: "select repeat('x', 1000) from generate_series(1, 100000)",
    start: async (service, authority) => {
      const uid = idOf('postgres')
      const own = prepare(service, authority, uid)
      const as = { uid, gid: uid, cwd: own }
      const data = join(own, 'data')
      execFileSync(initdb ?? '', ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'], {
        ...as,
        stdio: 'ignore',
      })
      const setup = [
        `create role supervision login password '${PASSWORD}'`,
        "create role en_clair login password 'x'",
        'create table orders (id serial primary key, state int)',
        'insert into orders (state) select n % 3 from generate_series(1, 30) n',
        'grant all on all tables in schema public to supervision; grant all on all sequences in schema public to supervision',
      ]
      execFileSync(postgres ?? '', ['--single', '-D', data, 'postgres'], {
        ...as,
        input: `${setup.join('\n')}\n`,
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      writeFileSync(
        join(data, 'pg_hba.conf'),
        'host all en_clair 127.0.0.1/32 password\nhost all supervision 127.0.0.1/32 scram-sha-256\n',
      )
      const port = await freePort()
      const options = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${own}`, 'fsync=off']
      const tls = ['ssl=on', `ssl_cert_file=${own}/cert`, `ssl_key_file=${own}/key`]
      const args = ['-D', data, ...[...options, ...tls].flatMap(option => ['-c', option])]
      await service.start(postgres ?? '', args, [port], uid)
      // It listens before it lets anybody in, and writes down when it does.
      const state = join(data, 'postmaster.pid')
      for (let look = 0; look < 600 && !readFileSync(state, 'utf8').includes('ready'); look += 1) await setTimeout(100)
      return port
    },
  },
  {
    name: 'MariaDB (needs mariadb-server and root)',
    dialect: 'mysql',
    missing: mariadbd === null || install === null || !isRoot,
    writing: 'with one as (select 1) select * from orders for update',
    slow: 'select sleep(30)',
    endless: "select repeat('x', 1000) from seq_1_to_100000000",
    start: async (service, authority) => {
      const uid = idOf('mysql')
      const own = prepare(service, authority, uid)
      const data = join(own, 'data')
      const common = ['--no-defaults', `--datadir=${data}`, '--user=mysql']
      execFileSync(install ?? '', [...common, '--skip-test-db'], { stdio: 'ignore' })
      const setup = [
        `create user supervision@'127.0.0.1' identified by '${PASSWORD}';`,
        // One statement a line.
        'create database shop;',
        'create table shop.orders (id int auto_increment primary key, state int);',
        'insert into shop.orders (state) select seq % 3 from shop.seq_1_to_30;',
        "grant all on shop.* to supervision@'127.0.0.1';",
      ]
      writeFileSync(join(service.folder, 'setup.sql'), `${setup.join('\n')}\n`)
      const port = await freePort()
      const options = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${own}/sock`, '--skip-name-resolve']
      const tls = [`--ssl-cert=${own}/cert`, `--ssl-key=${own}/key`, `--init-file=${service.folder}/setup.sql`]
      await service.start(mariadbd ?? '', [...common, ...options, ...tls], [port])
      return port
    },
  },
]
