import { metricDefinition, type ProbeCheck } from '@narval/contracts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkContext, checkFor, runCheck } from '../testing/check-kit.ts'
import { type Agent, createMib, encoded, type Mib, setPorts, startAgent, startMibAgent } from '../testing/snmp-agent.ts'
import { SNMPD, type Snmpd, snmpCredential, startSnmpd } from '../testing/snmpd.ts'
import { createRegistry } from './registry.ts'

const agents: Agent[] = []
afterEach(() => {
  for (const agent of agents.splice(0)) agent.close()
})
/** An agent with these objects; what a check needs to ask it. */
const agentOf = async (
  objects: Readonly<Record<string, Buffer>>,
  mib: Mib = createMib(),
): Promise<Partial<ProbeCheck>> => {
  for (const [oid, value] of Object.entries(objects)) mib.set(oid, value)
  const agent = await startMibAgent(mib)
  agents.push(agent)
  return { credential: snmpCredential(agent.port) }
}

describe.skipIf(SNMPD === null)('a machine with net-snmp (snmpd must be installed)', () => {
  let snmpd: Snmpd
  let target: Partial<ProbeCheck>
  beforeAll(async () => {
    snmpd = await startSnmpd([
      'rocommunity public',
      'sysName srv-lyon',
      'sysLocation Salle <b>serveurs</b>',
      'override 1.3.6.1.4.1.8072.9999.1.0 octet_str "23.5 C"',
      'override 1.3.6.1.4.1.8072.9999.2.0 octet_str "hors service"',
      'override 1.3.6.1.4.1.8072.9999.3.0 integer 42',
      'override 1.3.6.1.2.1.33.1.1.2.0 octet_str "Onduleur 5P"',
      'override 1.3.6.1.2.1.33.1.2.1.0 integer 2',
      'override 1.3.6.1.2.1.33.1.2.2.0 integer 12',
      'override 1.3.6.1.2.1.33.1.2.3.0 integer 34',
      'override 1.3.6.1.2.1.33.1.2.4.0 integer 87',
      'override 1.3.6.1.2.1.33.1.2.5.0 integer 272',
      'override 1.3.6.1.2.1.33.1.3.3.1.3.1 integer 231',
      'override 1.3.6.1.2.1.33.1.4.1.0 integer 5',
      'override 1.3.6.1.2.1.33.1.4.4.1.5.1 integer 64',
      'override 1.3.6.1.2.1.33.1.6.1.0 uinteger 1',
      'override 1.3.6.1.2.1.33.1.6.2.1.2.1 object_id .1.3.6.1.2.1.33.1.6.3.2',
    ])
    target = { credential: snmpCredential(snmpd.port), timeoutMs: 5_000 }
  })
  afterAll(() => snmpd.stop())

  it('says how long it has been up, its memory and its load; who it is, as a person would read it', async () => {
    const outcome = await runCheck('snmp_system', {}, target)
    expect(outcome.failure).toBeNull()
    expect(outcome.values.uptime).toBeGreaterThan(10)
    expect(outcome.values.memory_used_ratio).toBeGreaterThan(0)
    expect(outcome.values.memory_used_ratio).toBeLessThan(1)
    expect(outcome.values.processes).toBeGreaterThan(1)
    for (const key of ['load_1m', 'load_5m', 'load_15m']) expect(outcome.values[key]).toBeGreaterThanOrEqual(0)
    expect(outcome.details?.()[0]?.text).toContain('Nom\u202f: srv-lyon')
    expect(outcome.details?.()[0]?.text).toContain('Emplacement\u202f: Salle <b>serveurs</b>')
  })

  it('shows its interfaces, in 64 bits or not, whatever the version', async () => {
    for (const version of ['v1', 'v2c'] as const) {
      const more = { ...target, credential: snmpCredential(snmpd.port, { version }) }
      const outcome = await runCheck('snmp_interfaces', { include: ['lo'] }, more)
      expect(outcome.failure).toBeNull()
      expect(outcome.values).toMatchObject({ interfaces: 1, interfaces_up: 1, 'status[lo]': 1, 'in_errors[lo]': 0 })
      expect(outcome.values['in[lo]']).toBeGreaterThan(0)
      expect((outcome.values['in[lo]'] ?? 1) % 8).toBe(0)
    }
    // Loopback is no port.
    expect((await runCheck('snmp_interfaces', {}, target)).values['status[lo]']).toBeUndefined()
  })

  it('shows its disks, without the pseudo file systems', async () => {
    const outcome = await runCheck('snmp_storage', {}, target)
    expect(outcome.failure).toBeNull()
    expect(outcome.values['size[/]']).toBeGreaterThan(1e9)
    expect(outcome.values['used_ratio[/]']).toBeGreaterThan(0)
    expect(Object.keys(outcome.values).some(key => key.includes('[/run') || key.includes('[/dev'))).toBe(false)
    const memory = await runCheck('snmp_storage', { types: ['memory'], exclude: [] }, target)
    expect(memory.values['size[Physical memory]']).toBeGreaterThan(1e8)
  })

  it('gives values by OID: numbers, numbers in texts, states and texts expected; what is absent is named', async () => {
    const base = '1.3.6.1.4.1.8072.9999'
    const value = (name: string, oid: string, more = {}) => ({ name, oid: `${base}.${oid}.0`, ...more })
    const good = [
      value('Température', '1', { unit: 'celsius' }),
      value('Dixièmes', '3', { factor: 0.1 }),
      value('État', '3', { type: 'state', expected: '42', oid: `.${base}.3.0` }),
      value('Service', '2', { type: 'text', expected: 'en service' }),
    ]
    const outcome = await runCheck('snmp', { values: good.filter((_, n) => n !== 1) }, target)
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toEqual({
      [`value[${base}.1.0]`]: 23.5,
      [`value[${base}.3.0]`]: 42,
      [`value[${base}.2.0]`]: 0,
    })
    expect((await runCheck('snmp', { values: [good[1]] }, target)).values[`value[${base}.3.0]`]).toBeCloseTo(4.2, 9)
    const absent = await runCheck('snmp', { values: [value('Rien', '9'), value('Là', '3')] }, target)
    expect(absent.failure).toEqual({
      code: 'mismatch',
      message: 'OID absent de l’équipement\u202f: «\u202fRien\u202f»',
    })
    expect(absent.values[`value[${base}.3.0]`]).toBe(42)
    const text = await runCheck('snmp', { values: [value('Service', '2')] }, target)
    expect(text.failure?.message).toBe('«\u202fService\u202f» n’est pas un nombre\u202f: «\u202fhors service\u202f»')
  })

  it('a UPS on its battery', async () => {
    const outcome = await runCheck('snmp_ups', {}, target)
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toEqual({
      on_battery: 1,
      output_source: 5,
      battery_status: 2,
      battery_charge: 0.87,
      battery_runtime: 34 * 60,
      on_battery_time: 12,
      battery_voltage: 27.2,
      alarms: 1,
      'input_voltage[L1]': 231,
      'output_load_ratio[L1]': 0.64,
    })
    expect(outcome.details?.().find(({ label }) => label === 'Alarmes')?.text).toBe('sur batterie')
  })

  it.each(['snmp_printer', 'snmp_sensors'] as const)('%s: what it is not is said', async kind => {
    expect((await runCheck(kind, {}, target)).failure).toMatchObject({ code: 'mismatch' })
  })
})

describe('interfaces of a switch', () => {
  const [table, extension] = ['1.3.6.1.2.1.2.2.1', '1.3.6.1.2.1.31.1.1.1']

  it('48 ports in one run: traffic in bits, expected speed, the alias beside the name', async () => {
    const mib = createMib()
    setPorts(mib, 48, 10_000)
    const target = await agentOf({}, mib)
    const outcome = await runCheck('snmp_interfaces', {}, target)
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toMatchObject({
      interfaces: 48,
      interfaces_up: 48,
      'in[Gi1/0/7]': 80_000,
      'speed[Gi1/0/48]': 1_000_000_000,
      'in_errors[Gi1/0/3]': 3,
    })
    expect(outcome.labels?.['Gi1/0/7']).toBe('Gi1/0/7 · Bureau 7')
    const all = { measures: ['packets'], include: ['bureau 1?'], exclude: ['*/12'] }
    const some = await runCheck('snmp_interfaces', all, target)
    expect(some.values).toMatchObject({ interfaces: 9, 'in_broadcasts[Gi1/0/10]': 10_000 })
    expect(some.values['in[Gi1/0/10]']).toBeUndefined()
    expect(some.values['status[Gi1/0/12]']).toBeUndefined()
  })

  it('ports that are down, shut, virtual or without a name: what each gives', async () => {
    const mib = createMib()
    setPorts(mib, 6, 500)
    mib.set(`${table}.8.2`, encoded.integer(2))
    mib.set(`${table}.7.3`, encoded.integer(2))
    mib.set(`${table}.8.3`, encoded.integer(2))
    mib.set(`${table}.3.4`, encoded.integer(24))
    mib.set(`${extension}.1.5`, encoded.text('Gi1/0/1'))
    mib.set(`${extension}.1.6`, encoded.text(''))
    mib.set(`${table}.2.6`, encoded.text('<script>\u0007\u202e'))
    const target = await agentOf({}, mib)
    const { values } = await runCheck('snmp_interfaces', {}, target)
    expect(values).toMatchObject({ interfaces: 4, interfaces_up: 3, 'status[Gi1/0/2]': 2, 'status[Gi1/0/1 #5]': 1 })
    expect(values['status[<script>]']).toBe(1)
    expect(values['speed[Gi1/0/2]']).toBeUndefined()
    const all = await runCheck('snmp_interfaces', { virtual: true, disabled: true }, target)
    expect(all.values).toMatchObject({ interfaces: 6, 'status[Gi1/0/3]': 0, 'status[Gi1/0/4]': 1 })
  })

  it('utilisation is made from two runs; a counter that went back leaves a gap, never a peak', async () => {
    let nowMs = 0
    const mib = createMib()
    setPorts(mib, 2, 1_000_000_000)
    const { credential } = await agentOf({}, mib)
    const registry = createRegistry()
    const run = () =>
      registry.snmp_interfaces.run(
        checkFor('snmp_interfaces', {}, credential === undefined ? {} : { credential }),
        checkContext({}, { nowMs: () => performance.now() + nowMs }),
      )
    expect((await run()).values['in_ratio[Gi1/0/1]']).toBeUndefined()
    // 60 s at half of a gigabit: 3.75 GB.
    nowMs += 60_000
    setPorts(mib, 2, 1_000_000_000 + 3_750_000_000)
    expect((await run()).values['in_ratio[Gi1/0/1]']).toBeCloseTo(0.5, 1)
    nowMs += 60_000
    setPorts(mib, 2, 5_000)
    expect((await run()).values['in_ratio[Gi1/0/1]']).toBeUndefined()
    // The 64-bit counters go missing for a run: the 32-bit ones are not taken in their place.
    nowMs += 60_000
    for (const column of [6, 10]) mib.delete(`${extension}.${column}.1`)
    const without = (await run()).values
    expect([without['in[Gi1/0/1]'], without['in[Gi1/0/2]']]).toEqual([undefined, 40_000])
  })

  it('an old device without 64-bit counters is read in 32 bits', async () => {
    const mib = createMib()
    setPorts(mib, 3, 700)
    for (let port = 1; port <= 3; port += 1)
      for (let column = 1; column <= 19; column += 1) mib.delete(`${extension}.${column}.${port}`)
    // A scanner of its own: one that has seen 64-bit counters never goes back to the others.
    const { values } = await runCheck('snmp_interfaces', {}, { ...(await agentOf({}, mib)), scanner: 32 })
    expect(values).toMatchObject({
      interfaces: 3,
      'in[GigabitEthernet1/0/2]': 5_600,
      'speed[GigabitEthernet1/0/1]': 1e9,
    })
  })

  it('more ports than a scanner may have metrics: those that fit are given, the others are said', async () => {
    const mib = createMib()
    setPorts(mib, 700, 700)
    const { values, labels, failure } = await runCheck('snmp_interfaces', {}, await agentOf({}, mib))
    expect(Object.keys(values).length).toBe(4_999)
    expect(values).toMatchObject({ interfaces: 700, 'status[Gi1/0/500]': 1 })
    expect(Object.keys(labels ?? {}).length).toBe(700)
    expect(failure).toMatchObject({
      code: 'mismatch',
      message: expect.stringContaining('réduisez ce que ce scanner suit'),
    })
  })

  it('what was up when it was discovered is expected up, at its speed; what was down is not', () => {
    const learn = (key: string, value: number) => metricDefinition('snmp_interfaces', key)?.learn?.(value)
    expect(learn('status[a]', 1)).toEqual({ errorHigh: 1.5, errorHighClear: 1 })
    expect(learn('status[a]', 2)).toEqual({})
    expect(learn('speed[a]', 1e9)).toEqual({ warningLow: 1e9, warningLowClear: 1e9 })
  })
})

describe('every SNMP kind', () => {
  const kinds = ['snmp_system', 'snmp_interfaces', 'snmp_storage', 'snmp_ups', 'snmp_printer', 'snmp_sensors'] as const

  it.each(kinds)('%s: silence ends at the time limit, said as an operator would', async kind => {
    const agent = await startAgent(() => undefined)
    agents.push(agent)
    const startedMs = performance.now()
    const outcome = await runCheck(kind, {}, { credential: snmpCredential(agent.port), timeoutMs: 400 })
    expect(outcome).toMatchObject({ values: {}, failure: { code: 'timeout' } })
    expect(outcome.failure?.message).toContain('communauté refusée, ou équipement muet')
    expect(performance.now() - startedMs).toBeLessThan(1_000)
  })

  it('asks nothing without a credential, and nothing of an address that is refused (S47)', async () => {
    let asked = 0
    const agent = await startAgent(() => {
      asked += 1
    })
    agents.push(agent)
    expect((await runCheck('snmp_system', {})).failure).toMatchObject({ code: 'credentials' })
    const refused = { credential: snmpCredential(agent.port), loopback: false }
    expect((await runCheck('snmp_system', {}, refused)).failure?.code).toBe('denied')
    const named = { ...refused, address: 'commutateur.test' }
    const context = checkContext({ 'commutateur.test': ['127.0.0.1'] })
    expect((await runCheck('snmp_system', {}, named, context)).failure?.code).toBe('denied')
    expect(asked).toBe(0)
  })

  it('no community or password is in a failure or in the details of a test', async () => {
    const mib = createMib('communauté-secrète')
    setPorts(mib, 2, 5)
    mib.set('1.3.6.1.2.1.1.3.0', encoded.ticks(1))
    const agent = await startMibAgent(mib)
    agents.push(agent)
    const credential = snmpCredential(agent.port, { community: 'communauté-secrète' })
    for (const kind of kinds) {
      const outcome = await runCheck(kind, {}, { credential })
      expect(JSON.stringify([outcome, outcome.details?.()])).not.toContain('secrète')
    }
  })
})
