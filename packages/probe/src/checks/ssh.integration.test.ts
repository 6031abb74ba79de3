import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AGREEMENTS } from '../services/ssh-exchange.ts'
import { createTestServers, runCheck } from '../testing/check-kit.ts'
import { itSurvives } from '../testing/hostile.ts'
import { freePort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { createTestService, isRoot, type TestService } from '../testing/service.ts'

const run = (parameters: Record<string, unknown>, more: Partial<ProbeCheck> = {}) =>
  runCheck('ssh', parameters, { timeoutMs: 10_000, ...more })

const sshd = findProgram('sshd')
const keygen = findProgram('ssh-keygen')
const KEYS = ['ed25519', 'rsa', 'ecdsa -b 256', 'ecdsa -b 384', 'ecdsa -b 521'] as const

describe.skipIf(sshd === null || keygen === null)('ssh, against OpenSSH (needs openssh-server)', () => {
  let service: TestService
  const prints = new Map<string, string>()
  const fileOf = (key: string): string => join(service.folder, key.replaceAll(' ', '-'))
  /** A server of its own with these host keys and options; its port. */
  const start = async (keys: readonly string[], ...options: string[]): Promise<number> => {
    const port = await freePort()
    const lines = [`ListenAddress 127.0.0.1:${port}`, 'PidFile none', ...keys.map(key => `HostKey ${fileOf(key)}`)]
    const file = join(service.folder, `conf-${port}`)
    writeFileSync(file, `${[...lines, ...options].join('\n')}\n`)
    await service.start(sshd ?? '', ['-D', '-e', '-f', file], [port])
    return port
  }
  beforeAll(() => {
    service = createTestService('sshd')
    if (isRoot) mkdirSync('/run/sshd', { recursive: true })
    for (const key of KEYS) {
      execFileSync(keygen ?? '', ['-q', '-N', '', '-t', ...key.split(' '), '-f', fileOf(key)])
      const [, print = ''] = execFileSync(keygen ?? '', ['-l', '-f', fileOf(key)])
        .toString()
        .split(' ')
      prints.set(key, print)
    }
  })
  afterAll(() => service.stop())

  it('measures greeting and exchange of keys, and shows version, algorithms and fingerprint', async () => {
    const port = await start(['ed25519', 'rsa'])
    const outcome = await run({ port, banner: 'OpenSSH' })
    expect(outcome.failure).toBeNull()
    expect(Object.keys(outcome.values)).toEqual(['connect_time', 'banner_time', 'weak_algorithms', 'exchange_time'])
    const shown = (outcome.details?.() ?? []).map(one => one.text).join('\n')
    expect(shown).toContain('SSH-2.0-OpenSSH')
    expect(shown).toContain('curve25519-sha256')
    expect(shown).toContain(prints.get('ed25519'))
    const other = await run({ port, banner: 'dropbear' })
    expect(other.failure).toMatchObject({ code: 'mismatch', message: expect.stringMatching(/^version inattendue/) })
  })

  it.each(KEYS)('the fingerprint of a key %s is that of ssh-keygen, and another one fails the check', async key => {
    const port = await start([key])
    const expected = prints.get(key) ?? ''
    expect((await run({ port, fingerprints: [`SHA256:${'A'.repeat(43)}`, expected] })).failure).toBeNull()
    expect((await run({ port, fingerprints: [`SHA256:${'A'.repeat(43)}`] })).failure).toEqual({
      code: 'mismatch',
      message: `empreinte de la clé d’hôte inattendue\u202f: ${expected}`,
    })
  })

  it.each(Object.keys(AGREEMENTS))('agrees on a key by %s, whose signature is verified', async exchange => {
    const port = await start(['rsa', 'ecdsa -b 256'], `KexAlgorithms ${exchange}`)
    const outcome = await run({ port, fingerprints: [prints.get('ecdsa -b 256')] })
    expect(outcome.failure).toBeNull()
    expect(outcome.values.exchange_time).toBeGreaterThan(0)
  })

  it('weak algorithms are counted and named', async () => {
    const strong = await start(['ed25519'], 'KexAlgorithms curve25519-sha256', 'Ciphers aes256-gcm@openssh.com')
    expect((await run({ port: strong })).values.weak_algorithms).toBe(0)
    const options = ['KexAlgorithms diffie-hellman-group1-sha1,curve25519-sha256', 'Ciphers 3des-cbc,aes128-ctr']
    const outcome = await run({ port: await start(['rsa'], ...options, 'HostKeyAlgorithms ssh-rsa,rsa-sha2-256') })
    expect(outcome.failure).toBeNull()
    expect(outcome.values.weak_algorithms).toBe(3)
    expect(
      outcome
        .details?.()
        .map(one => one.text)
        .join(),
    ).toContain('faibles\u202f: diffie-hellman-group1-sha1, ssh-rsa, 3des-cbc')
  })

  it('a key that its bearer can not sign with is refused: another server passes packets on and shows its own', async () => {
    const [real, other] = [await start(['ed25519']), await start(['rsa'])]
    const servers = createTestServers()
    // What a man in the middle can do with packets in clear: one byte of the exchange is changed on the way.
    const port = await servers.listen(
      createServer(client => {
        const upstream = connect({ host: '127.0.0.1', port: real })
        client.pipe(upstream)
        upstream.on('data', chunk => {
          const at = chunk.indexOf('ssh-ed25519', chunk.indexOf('ssh-ed25519') + 1)
          if (chunk[5] === 31 && at > 0) chunk.writeUInt8(chunk.readUInt8(chunk.length - 30) ^ 1, chunk.length - 30)
          client.write(chunk)
        })
      }),
    )
    expect((await run({ port })).failure).toEqual({
      code: 'mismatch',
      message: 'clé d’hôte non prouvée\u202f: la signature du serveur est fausse',
    })
    expect((await run({ port: other, fingerprints: [prints.get('ed25519')] })).failure?.code).toBe('mismatch')
    await servers.close()
  })
})

describe('ssh, against servers of the test', () => {
  const servers = createTestServers()
  afterEach(() => servers.close())
  const INIT = Buffer.concat([Buffer.from([20]), Buffer.alloc(16)])
  const framed = (payload: Buffer): Buffer => {
    const head = Buffer.alloc(5)
    head.writeUInt32BE(payload.length + 5)
    head[4] = 4
    return Buffer.concat([head, payload, Buffer.alloc(4)])
  }

  it.each([
    ['a list that says it is longer than all', Buffer.concat([INIT, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x61])])],
    ['nothing but its kind', Buffer.from([20])],
    ['another kind', Buffer.from([99])],
  ])('an exchange of keys with %s is said', async (_, payload) => {
    const port = await servers.tcp(socket =>
      socket.write(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), framed(payload)])),
    )
    expect((await run({ port })).failure).toEqual({
      code: 'protocol',
      message: 'réponse incompréhensible\u202f: ce n’est pas un échange de clés SSH',
    })
  })

  it('version 1 of the protocol, and a server that refuses, are said in its words', async () => {
    const old = await servers.tcp(socket => socket.write('SSH-1.5-Cisco-1.25\r\n'))
    expect((await run({ port: old })).failure?.message).toBe(
      'version 1 de SSH, abandonnée\u202f: «\u202fSSH-1.5-Cisco-1.25\u202f»',
    )
    const reason = Buffer.from('\x01\0\0\0\x0c\0\0\0\x08too many\0\0\0\0', 'latin1')
    const busy = await servers.tcp(socket => socket.write(Buffer.concat([Buffer.from('SSH-2.0-x\n'), framed(reason)])))
    expect((await run({ port: busy })).failure?.message).toBe('connexion refusée par le serveur SSH\u202f: too many')
  })

  itSurvives((port, timeoutMs) => run({ port }, { timeoutMs }))
})
