import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostRoutes, type Probe, probeRoutes, scannerRoutes, siteRoutes } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../packages/probe/src/testing/programs.ts'
import { type ApiClient, signIn } from './kit/client.ts'
import { readSamples } from './kit/fleet.ts'
import { endProgram, type Program, spawnCommand } from './kit/program.ts'
import { freePort, type RunningServer, removeFolder, startServer, temporaryFolder } from './kit/server.ts'

/** The probe as an administrator gets it: installed by npm with the machine's own Node, far from this repository. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PATIENT = 120_000
/** An ordinary user without name or right. */
const NOBODY = 65_534

const folders: string[] = []
const programs: Program[] = []
let server: RunningServer
let api: ApiClient

const newFolder = (): string => {
  const folder = temporaryFolder()
  folders.push(folder)
  // Readable by all, as /opt is: the probe runs as somebody else.
  chmodSync(folder, 0o755)
  return folder
}
/** The machine's PATH, without the Node that npm scripts of this repository put before it. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter(folder => !folder.startsWith(ROOT))
  .join(delimiter)
const env = { PATH, HOME: process.env.HOME ?? '' }
const npm = async (folder: string, ...args: string[]): Promise<void> => {
  const program = spawnCommand('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], env, folder)
  if ((await program.exited) !== 0) throw new Error(`npm ${args.join(' ')}:\n${program.output()}`)
}

beforeAll(async () => {
  const folder = temporaryFolder()
  folders.push(folder)
  server = await startServer(folder, await freePort(), { NARVAL_LOCAL_PROBE: 'off' })
  programs.push(server)
  api = await signIn(server.url)
  installed = install()
})
afterAll(async () => {
  await Promise.all(programs.map(endProgram))
  folders.forEach(removeFolder)
})

const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const endMs = performance.now() + 40_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > endMs)
      throw new Error(`not in time: ${what}\n${programs.map(one => one.output()).join('\n')}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Enrols and approves a probe that was started with this name, has it watch its own machine, and waits for a value. */
const expectResults = async (name: string): Promise<Probe> => {
  const pending = await until(`enrolment of ${name}`, async () =>
    (await api.call(probeRoutes.list)).find(one => one.name === name),
  )
  await api.call(probeRoutes.approve, { params: { id: String(pending.id) } })
  const site = await api.call(siteRoutes.create, { body: { name, code: name.toUpperCase() } })
  const host = await api.call(hostRoutes.create, {
    body: { name, address: '192.0.2.1', siteId: site.id, withPing: false },
  })
  const scanner = await api.call(scannerRoutes.create, {
    body: {
      name: 'machine',
      kind: 'system',
      hostId: host.id,
      probeId: pending.id,
      intervalSeconds: 5,
      retryIntervalSeconds: 5,
      timeoutMs: 2_000,
      attempts: 1,
      parameters: {},
    },
  })
  await until(`results of ${name}`, async () => {
    const metrics = await api.call(scannerRoutes.metrics, { query: { id: String(scanner.id) } })
    const memory = metrics.find(metric => metric.key === 'memory_used_ratio')
    const samples = memory === undefined ? [] : await readSamples(api, memory.id, Date.now() - 60_000, Date.now())
    return samples[0]
  })
  return api.call(probeRoutes.get, { params: { id: String(pending.id) } })
}

const settings = async (folder: string, name: string): Promise<Record<string, string>> => ({
  ...env,
  NARVAL_SERVER: server.url,
  NARVAL_PROBE_NAME: name,
  NARVAL_PROBE_DATA: join(folder, 'data'),
  NARVAL_ENROLL_CODE: (await api.call(probeRoutes.code)).code,
})
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'packages/probe/package.json'), 'utf8')).version

const isRoot = process.getuid?.() === 0
const analyze = findProgram('systemd-analyze')
/** A network of its own and another user: root's to give. */
const canDropRights = isRoot && ['unshare', 'setpriv', 'ip'].every(name => findProgram(name) !== null)

/** One installation for all the tests of the package. */
const install = async (): Promise<{ readonly folder: string; readonly bin: string }> => {
  const folder = newFolder()
  const packed = spawnCommand(process.execPath, [join(ROOT, 'packages/probe/tools/pack.ts'), folder], env, ROOT)
  expect([await packed.exited, packed.output()]).toEqual([0, expect.stringContaining(`narval-probe-${VERSION}.tgz`)])
  await npm(folder, 'install', '--ignore-scripts', `./narval-probe-${VERSION}.tgz`)
  return { folder, bin: join(folder, 'node_modules/.bin/narval-probe') }
}

let installed: ReturnType<typeof install>

describe.concurrent('the probe installs alone', { timeout: PATIENT }, () => {
  it('npm ci -w packages/probe --omit=dev in a copy of Narval, then npm start: enrolled, approved, its results arrive', async () => {
    const folder = newFolder()
    const copied = ['package.json', 'package-lock.json', '.npmrc', 'tools', 'packages']
    for (const name of copied) {
      const filter = (file: string) => !['node_modules', 'dist'].includes(basename(file))
      cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter })
    }
    await npm(folder, 'ci', '-w', 'packages/probe', '--omit=dev')
    const variables = await settings(folder, 'clone')
    const probe = spawnCommand('npm', ['start', '--silent', '-w', 'packages/probe'], variables, folder)
    programs.push(probe)
    expect(await expectResults('clone')).toMatchObject({ state: 'online', version: VERSION })
    probe.kill('SIGTERM')
    await probe.exited
    // npm ends by the signal; the probe, two processes below, ends in order.
    await until('the end of the probe', async () => !existsSync(join(folder, 'data/probe.lock')) || undefined)
  })

  it('a packed tarball in an empty folder: it brings its Node and works as an ordinary user', async () => {
    const { folder, bin } = await installed
    const version = spawnCommand(bin, ['--version'], env, folder)
    expect([await version.exited, version.output().trim()]).toEqual([0, VERSION])
    const variables = await settings(folder, 'paquet')
    // What systemd does with DynamicUser, where this test may: an unprivileged user whose only folder is its own.
    const user = isRoot ? NOBODY : undefined
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    if (user !== undefined) chownSync(join(folder, 'data'), user, user)
    const probe = spawnCommand(bin, [], variables, folder, user)
    programs.push(probe)
    expect(await expectResults('paquet')).toMatchObject({ state: 'online', version: VERSION })
    const checked = spawnCommand(bin, ['--check'], variables, folder, user)
    await checked.exited
    const words = ['une sonde travaille déjà', 'enrôlée : sonde', 'joint en', 'le serveur reconnaît cette sonde']
    for (const word of words) expect(checked.output()).toContain(word)
    probe.kill('SIGTERM')
    expect(await probe.exited).toBe(0)
  })

  it.skipIf(analyze === null)('its unit is one that systemd verifies and calls safe', async () => {
    const { folder } = await installed
    expectUnit(folder, analyze ?? '')
  })

  it.skipIf(!canDropRights)('as an ordinary user it says which right, file or folder it lacks', async () => {
    const { folder, bin } = await installed
    expectRightsSaid(bin, folder)
  })
})

/** Runs `--check` as an ordinary user in a network of its own, with these groups allowed to ping and these rights. */
const checkAs = (bin: string, folder: string, groups: string, rights: readonly string[], data: string): string => {
  const script = `ip link set lo up; echo "${groups}" >/proc/sys/net/ipv4/ping_group_range; exec "$@"`
  const user = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...rights, bin, '--check']
  const run = spawnSync(findProgram('unshare') ?? '', ['--net', '--mount', 'sh', '-c', script, 'sh', ...user], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, NARVAL_SERVER: 'http://127.0.0.1:9', NARVAL_PROBE_DATA: data },
  })
  return run.stdout + run.stderr
}

const expectRightsSaid = (bin: string, folder: string): void => {
  const data = join(folder, 'nobody')
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, NOBODY, NOBODY)
  const none = checkAs(bin, folder, '1 0', ['--bounding-set=-all'], data)
  expect(none).toMatch(/FAUTE .*CAP_NET_RAW|par le programme fping/)
  expect(none).toContain('net.ipv4.ping_group_range)\u202f: 1–0')
  expect(none).toContain('connexion refusée par le serveur')
  const allowed = checkAs(bin, folder, `0 ${NOBODY}`, ['--bounding-set=-all'], data)
  expect(allowed).toMatch(/ok +ping IPv4.*socket ICMP ordinaire.*écho de 127\.0\.0\.1 en/)
  const raw = ['--inh-caps=+net_raw', '--ambient-caps=+net_raw', '--bounding-set=-all,+net_raw']
  expect(checkAs(bin, folder, '1 0', raw, data)).toMatch(/ok +ping IPv4.*socket brut.*écho de 127\.0\.0\.1 en/)
  // A probe that root has started once leaves files that the ordinary user can't have.
  writeFileSync(join(data, 'identity.json'), '{}', { mode: 0o600 })
  expect(checkAs(bin, folder, '1 0', [], data)).toContain('identity.json appartient à un autre utilisateur')
  expect(checkAs(bin, folder, '1 0', [], '/root/narval')).toContain('droits insuffisants, EACCES')
}

/** The unit that comes with the package names what is installed, and systemd finds nothing to say about it. */
const expectUnit = (folder: string, analyze: string): void => {
  const deployed = join(folder, 'node_modules/narval-probe/deploy')
  const unit = readFileSync(join(deployed, 'narval-probe.service'), 'utf8')
  expect(unit).toContain('ExecStart=/opt/narval-probe/node_modules/.bin/narval-probe\n')
  const file = join(folder, 'narval-probe.service')
  writeFileSync(file, unit.replaceAll('/opt/narval-probe/node_modules', join(folder, 'node_modules')))
  const verified = spawnSync(analyze, ['verify', file], { encoding: 'utf8' })
  const complaints = `${verified.stdout}${verified.stderr}`.split('\n').filter(line => line.includes(dirname(file)))
  expect([verified.status, complaints]).toEqual([0, []])
  // 0 is safest, 10 is a service without any protection; systemd calls up to 2 « OK ».
  const rated = spawnSync(analyze, ['security', '--offline=true', '--threshold=20', file], { encoding: 'utf8' })
  expect([rated.status, rated.stdout.split('\n').filter(line => line.includes('Overall'))]).toEqual([
    0,
    expect.anything(),
  ])
}
