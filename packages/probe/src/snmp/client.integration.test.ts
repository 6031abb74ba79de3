import { SNMP_AUTH_PROTOCOLS, SNMP_PRIV_PROTOCOLS } from '@narval/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duration } from '../fr.ts'
import { freeUdpPort } from '../testing/ports.ts'
import { SNMPD, type SnmpCredential, type Snmpd, snmpCredential, startSnmpd } from '../testing/snmpd.ts'
import { openSnmp, SnmpError, type SnmpSession } from './client.ts'

const NAME = '1.3.6.1.2.1.1.5.0'
const MISSING = '1.3.6.1.2.1.1.99.0'
const SYSTEM = '1.3.6.1.2.1.1'
const AUTH_NAMES = {
  MD5: 'MD5',
  SHA1: 'SHA',
  SHA224: 'SHA-224',
  SHA256: 'SHA-256',
  SHA384: 'SHA-384',
  SHA512: 'SHA-512',
}
const PRIV_NAMES = { DES: 'DES', AES128: 'AES', AES192: 'AES-192', AES256: 'AES-256' }
type Auth = keyof typeof AUTH_NAMES
type Priv = keyof typeof PRIV_NAMES
const PASSWORDS = { authPassword: 'auth-password', privPassword: 'priv-password' } as const

const auths = SNMP_AUTH_PROTOCOLS.filter(name => name !== 'none')
const privs = SNMP_PRIV_PROTOCOLS.filter(name => name !== 'none')
const pairs = auths.flatMap(auth => privs.map((priv): [Auth, Priv] => [auth, priv]))
const userOf = (auth: Auth, priv: Priv, cisco = false): string => `u${auth}${priv}${cisco ? 'c' : ''}`
const ciscoPairs = pairs.filter(([, priv]) => priv === 'AES192' || priv === 'AES256')
const createUser = (auth: Auth, priv: Priv, cisco: boolean): string[] => [
  `createUser ${userOf(auth, priv, cisco)} ${AUTH_NAMES[auth]} auth-password ${PRIV_NAMES[priv]}${cisco ? '-C' : ''} priv-password`,
  `rouser ${userOf(auth, priv, cisco)} priv`,
]

describe.skipIf(SNMPD === null)('an agent of net-snmp (snmpd must be installed)', () => {
  let snmpd: Snmpd
  beforeAll(async () => {
    snmpd = await startSnmpd([
      'rocommunity public',
      'rocommunity6 public',
      'sysName équipement',
      ...pairs.flatMap(([auth, priv]) => createUser(auth, priv, false)),
      ...ciscoPairs.flatMap(([auth, priv]) => createUser(auth, priv, true)),
      'createUser nobody',
      'rouser nobody noauth',
      'createUser signed SHA-256 auth-password',
      'rouser signed auth',
    ])
  })
  afterAll(() => snmpd.stop())

  const session = (more: Partial<SnmpCredential>, address = '127.0.0.1', timeoutMs = 3_000): SnmpSession =>
    openSnmp({ address }, snmpCredential(snmpd.port, more), { timeoutMs, nowMs: () => performance.now() })
  const nameBy = async (more: Partial<SnmpCredential>, address?: string): Promise<string> => {
    const one = session(more, address)
    try {
      const [name] = await one.get([NAME])
      return String(name?.value)
    } finally {
      one.close()
    }
  }
  const refusal = async (more: Partial<SnmpCredential>, timeoutMs = 3_000): Promise<unknown> => {
    const one = session(more, '127.0.0.1', timeoutMs)
    return one
      .get([NAME])
      .then(
        () => 'answered',
        error => (error instanceof SnmpError ? error.failure : error),
      )
      .finally(one.close)
  }
  const v3 = (auth: Auth, priv: Priv, cisco = false): Partial<SnmpCredential> => ({
    version: 'v3',
    user: userOf(auth, priv, cisco),
    authProtocol: auth,
    privProtocol: priv,
    ...PASSWORDS,
  })

  it.each(['v1', 'v2c'] as const)(
    '%s: values, what is absent, a whole subtree, a table, over IPv4 and IPv6',
    async version => {
      for (const address of ['127.0.0.1', '::1']) {
        const one = session({ version }, address, 10_000)
        const [missing, name, again] = await one.get([MISSING, NAME, MISSING])
        expect([missing?.type, String(name?.value), again?.type]).toEqual(['absent', 'équipement', 'absent'])
        const system = await one.walk(SYSTEM)
        expect(system.length).toBeGreaterThan(8)
        expect(system.every(({ oid }) => oid.startsWith(`${SYSTEM}.`))).toBe(true)
        const rows = await one.table({ descr: '1.3.6.1.2.1.2.2.1.2', octets: '1.3.6.1.2.1.31.1.1.1.6', none: MISSING })
        const lo = rows.find(({ cells }) => String(cells.descr?.value) === 'lo')
        expect(lo?.index).toMatch(/^\d+$/)
        // There are no 64-bit counters in v1 (RFC 2576).
        expect([lo?.cells.octets?.type, lo?.cells.none]).toEqual([
          version === 'v1' ? undefined : 'counter64',
          undefined,
        ])
        one.close()
      }
    },
  )

  it('v3 without authentication, and with a digest only', async () => {
    expect(await nameBy({ version: 'v3', user: 'nobody' })).toBe('équipement')
    const signed = { version: 'v3', user: 'signed', authProtocol: 'SHA256', ...PASSWORDS } as const
    expect(await nameBy(signed, '::1')).toBe('équipement')
  })

  it.each(pairs)('v3 with %s and %s', async (auth, priv) => {
    expect(await nameBy(v3(auth, priv))).toBe('équipement')
  })

  it.each(ciscoPairs)(
    'v3 with %s and %s, keys made longer as Cisco does: found without a setting',
    async (auth, priv) => {
      expect(await nameBy(v3(auth, priv, true))).toBe('équipement')
    },
  )

  it('a second session needs no discovery: one question, one answer', async () => {
    await nameBy(v3('SHA256', 'AES128'))
    const startedMs = performance.now()
    for (let run = 0; run < 50; run += 1) await nameBy(v3('SHA256', 'AES128'))
    expect(performance.now() - startedMs).toBeLessThan(3_000)
  })

  it('a wrong user, password, level or protocol is refused in words, at once', async () => {
    const right = v3('SHA256', 'AES128')
    const startedMs = performance.now()
    expect(await refusal({ ...right, user: 'personne' })).toEqual({
      code: 'credentials',
      message: 'utilisateur SNMPv3 inconnu de l’équipement',
    })
    const wrongDigest = { code: 'credentials', message: expect.stringContaining('d’authentification SNMPv3 refusé') }
    expect(await refusal({ ...right, authPassword: 'autre-mot-de-passe' })).toEqual(wrongDigest)
    expect(await refusal({ ...right, authProtocol: 'SHA512' })).toEqual(wrongDigest)
    expect(await refusal({ version: 'v3', user: 'nobody', authProtocol: 'MD5', ...PASSWORDS })).toEqual({
      code: 'credentials',
      message: expect.stringContaining('niveau de sécurité SNMPv3 refusé'),
    })
    expect(await refusal({ ...right, privProtocol: 'none' })).toEqual({
      code: 'credentials',
      message: expect.stringContaining('accès refusé à l’OID'),
    })
    expect(performance.now() - startedMs).toBeLessThan(3_000)
  })

  it('a password of privacy or a context that the agent keeps silent about is told from a silent device', async () => {
    const right = v3('SHA256', 'AES128')
    const expected = {
      code: 'credentials',
      message: expect.stringContaining('répond à la découverte, pas à la requête'),
    }
    expect(await refusal({ ...right, privPassword: 'autre-mot-de-passe' }, 500)).toEqual(expected)
    expect(await refusal({ ...right, contextName: 'ailleurs' }, 500)).toEqual(expected)
  })

  it('a community that is refused can not be told from silence, and both are said', async () => {
    expect(await refusal({ community: 'autre' }, 300)).toEqual({
      code: 'timeout',
      message: `aucune réponse SNMP de 127.0.0.1, port ${snmpd.port} en ${duration(300)}\u202f: communauté refusée, ou équipement muet (filtrage, agent arrêté)`,
    })
  })

  it('where nobody listens, it is said at once', async () => {
    const startedMs = performance.now()
    const port = await freeUdpPort()
    expect(await refusal({ port })).toMatchObject({ code: 'refused', message: expect.stringContaining('aucun agent') })
    expect(performance.now() - startedMs).toBeLessThan(1_000)
  })

  it('another device at the same address, and a clock out of the window, are learnt without a failure', async () => {
    const lines = createUser('SHA512', 'AES256', false)
    const first = await startSnmpd(lines)
    const credential = snmpCredential(first.port, v3('SHA512', 'AES256'))
    let aheadMs = 0
    const ask = async (): Promise<string> => {
      const nowMs = (): number => performance.now() + aheadMs
      const one = openSnmp({ address: '127.0.0.1' }, credential, { timeoutMs: 3_000, nowMs })
      return one
        .get([NAME])
        .then(([name]) => String(name?.type), String)
        .finally(one.close)
    }
    expect(await ask()).toBe('octets')
    // The agent calls a clock that is more than 150 s ahead of its own out of its window (RFC 3414, 3.2.7).
    aheadMs = 1_000_000
    expect(await ask()).toBe('octets')
    await first.stop()
    const second = await startSnmpd(lines, first.port)
    expect(await ask()).toBe('octets')
    await second.stop()
  })
})
