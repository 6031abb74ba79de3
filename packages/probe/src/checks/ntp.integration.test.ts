import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCheck } from '../testing/check-kit.ts'
import { freeUdpPort } from '../testing/ports.ts'
import { findProgram } from '../testing/programs.ts'
import { udpServer } from '../testing/udp.ts'
import { readAnswer } from './ntp.ts'

const chronyd = findProgram('chronyd')

describe.skipIf(chronyd === null)('ntp, against chrony', () => {
  const folder = mkdtempSync(join(tmpdir(), 'narval-ntp-'))
  let server: ChildProcess
  let port = 0

  beforeAll(async () => {
    port = await freeUdpPort()
    const file = join(folder, 'chrony.conf')
    const own = [`pidfile ${folder}/pid`, `driftfile ${folder}/drift`, 'cmdport 0', 'bindcmdaddress /']
    writeFileSync(
      file,
      ['local stratum 5', 'allow 127.0.0.1', 'bindaddress 127.0.0.1', `port ${port}`, ...own].join('\n'),
    )
    // -x: it never touches the machine's clock.
    server = spawn(chronyd ?? '', ['-x', '-d', '-u', 'root', '-f', file], { stdio: 'ignore' })
    await vi.waitFor(async () => expect((await runCheck('ntp', { port })).failure).toBeNull(), 10_000)
  })
  afterAll(() => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('finds the clock of this machine to be its own, within the time of the exchange', async () => {
    const { values, failure, details } = await runCheck('ntp', { port })
    expect(failure).toBeNull()
    expect(details?.()[0]?.text).toMatch(/^Strate : 5\n(.+\n)+Réponse partie : \d\d\/\d\d\/\d{4} [\d:,]{12} UTC$/)
    expect(values.stratum).toBe(5)
    // Half of the way there and back is all that can be wrong; wall clocks here count whole milliseconds.
    expect(Math.abs(values.offset ?? Number.NaN)).toBeLessThanOrEqual((values.delay ?? 0) / 2 + 2)
  })

  it('refuses a stratum that is too far', async () => {
    expect((await runCheck('ntp', { port, maxStratum: 4 })).failure).toEqual({
      code: 'mismatch',
      message: 'strate 5, au plus 4 attendue',
    })
  })
})

describe('ntp, against other servers', () => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close()
  })
  const ask = (port: number) => runCheck('ntp', { port }, { timeoutMs: 400 })
  /** An answer whose clock is `aheadMs` ahead of this machine's. */
  const answerTo = (question: Buffer, more: { leap?: number; stratum?: number; aheadMs?: number } = {}): Buffer => {
    const packet = Buffer.alloc(48)
    packet[0] = ((more.leap ?? 0) << 6) | 0b100_100
    packet[1] = more.stratum ?? 2
    packet.write('GPS\0', 12, 'latin1')
    question.copy(packet, 24, 40, 48)
    for (const offset of [32, 40]) writeTime(packet, offset, Date.now() + (more.aheadMs ?? 0))
    return packet
  }
  const writeTime = (packet: Buffer, offset: number, ms: number): void => {
    packet.writeUInt32BE((Math.floor(ms / 1_000) + 2_208_988_800) % 2 ** 32, offset)
    packet.writeUInt32BE(Math.floor(((ms % 1_000) / 1_000) * 2 ** 32), offset + 4)
  }

  it('measures a clock that is 90 s ahead, or an hour behind', async () => {
    for (const aheadMs of [90_000, -3_600_000]) {
      const port = await udpServer(sockets, question => answerTo(question, { aheadMs }))
      const { values, failure } = await ask(port)
      expect(failure).toBeNull()
      expect(Math.abs((values.offset ?? 0) - aheadMs)).toBeLessThan(100)
    }
  })

  it('says that a server has no time itself, or sends us away', async () => {
    const unsynchronised = await udpServer(sockets, question => answerTo(question, { leap: 3, stratum: 16 }))
    expect(await ask(unsynchronised)).toMatchObject({ values: {}, failure: { code: 'mismatch' } })
    const away = await udpServer(sockets, question => answerTo(question, { stratum: 0 }))
    expect((await ask(away)).failure).toEqual({
      code: 'refused',
      message: 'le serveur de temps refuse de répondre (GPS)',
    })
  })

  it('believes no answer to another question, and none that is cut short', async () => {
    for (const forge of [
      (question: Buffer) => answerTo(Buffer.alloc(question.length)),
      (question: Buffer) => answerTo(question).subarray(0, 47),
      (question: Buffer) => Buffer.concat([question]),
    ]) {
      expect((await ask(await udpServer(sockets, forge))).failure?.code).toBe('timeout')
    }
  })

  it('gives a server that says nothing up at the time limit, and says where nobody is', async () => {
    expect((await ask(await udpServer(sockets, () => null))).failure).toEqual({
      code: 'timeout',
      message: 'aucune réponse du serveur de temps',
    })
    expect((await ask(await freeUdpPort())).failure?.code).toBe('refused')
  })

  it('reads times past 2036, where the seconds begin anew', () => {
    const cookie = Buffer.alloc(8, 7)
    const question = Buffer.concat([Buffer.alloc(40), cookie])
    const inThe2040s = Date.UTC(2041, 0, 1)
    const packet = answerTo(question)
    writeTime(packet, 40, inThe2040s)
    expect(readAnswer(packet, cookie)?.sentMs).toBe(inThe2040s)
  })
})
