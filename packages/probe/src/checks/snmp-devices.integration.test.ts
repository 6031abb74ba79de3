import type { ProbeCheck } from '@narval/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { runCheck } from '../testing/check-kit.ts'
import { type Agent, createMib, encoded, startMibAgent } from '../testing/snmp-agent.ts'
import { snmpCredential } from '../testing/snmpd.ts'

const agents: Agent[] = []
afterEach(() => {
  for (const agent of agents.splice(0)) agent.close()
})
/** An agent with these objects; what a check needs to ask it. */
const agentOf = async (objects: Readonly<Record<string, Buffer>>): Promise<Partial<ProbeCheck>> => {
  const mib = createMib()
  for (const [oid, value] of Object.entries(objects)) mib.set(oid, value)
  const agent = await startMibAgent(mib)
  agents.push(agent)
  return { credential: snmpCredential(agent.port) }
}

describe('a printer', () => {
  it('its supplies, trays, pages, faults and alerts', async () => {
    const [prt, device] = ['1.3.6.1.2.1.43', '1.3.6.1.2.1.25.3']
    const supply = (row: number, text: string, kind: number, unit: number, max: number, level: number) => ({
      [`${prt}.11.1.1.4.1.${row}`]: encoded.integer(kind),
      [`${prt}.11.1.1.6.1.${row}`]: encoded.text(text),
      [`${prt}.11.1.1.7.1.${row}`]: encoded.integer(unit),
      [`${prt}.11.1.1.8.1.${row}`]: encoded.integer(max),
      [`${prt}.11.1.1.9.1.${row}`]: encoded.integer(level),
    })
    const target = await agentOf({
      [`${device}.2.1.5.1`]: encoded.integer(3),
      [`${device}.5.1.1.1`]: encoded.integer(4),
      // Bits 1 (noPaper) and 5 (jammed).
      [`${device}.5.1.2.1`]: encoded.text(Buffer.from([0b0100_0100])),
      // A processor, which is a device too.
      [`${device}.2.1.5.9`]: encoded.integer(5),
      ...supply(1, 'Toner noir', 3, 7, 8_000, 2_000),
      ...supply(2, 'Toner cyan', 3, 19, -2, 35),
      ...supply(3, 'Bac de récupération', 4, 19, 100, 90),
      ...supply(4, 'Agrafes', 3, 7, 5_000, -3),
      [`${prt}.8.2.1.9.1.1`]: encoded.integer(500),
      [`${prt}.8.2.1.10.1.1`]: encoded.integer(0),
      [`${prt}.8.2.1.13.1.1`]: encoded.text('Bac 1'),
      [`${prt}.10.2.1.4.1.1`]: encoded.counter32(123_456),
      [`${prt}.18.1.1.2.1.1`]: encoded.integer(3),
      [`${prt}.18.1.1.8.1.1`]: encoded.text('Bourrage papier dans le bac 1'),
    })
    const outcome = await runCheck('snmp_printer', {}, target)
    expect(outcome.failure).toBeNull()
    expect(outcome.values).toEqual({
      device_status: 3,
      activity: 4,
      pages: 123_456,
      alerts_critical: 1,
      alerts_warning: 0,
      no_paper: 1,
      no_toner: 0,
      door_open: 0,
      jammed: 1,
      offline: 0,
      service: 0,
      'supply_ratio[Toner noir]': 0.25,
      'supply_ratio[Toner cyan]': 0.35,
      'waste_ratio[Bac de récupération]': 0.9,
      'tray_ratio[Bac 1]': 0,
    })
    expect(outcome.details?.().find(({ label }) => label === 'Alertes')?.text).toBe('Bourrage papier dans le bac 1')
  })
})

describe('sensors', () => {
  const [sensor, entity, lm] = ['1.3.6.1.2.1.99.1.1.1', '1.3.6.1.2.1.47.1.1.1.1', '1.3.6.1.4.1.2021.13.16']

  it('have their scale, precision and type; one that is out of order says so and gives no value', async () => {
    const one = (
      row: number,
      text: string,
      type: number,
      scale: number,
      precision: number,
      value: number,
      status = 1,
    ) => ({
      [`${sensor}.1.${row}`]: encoded.integer(type),
      [`${sensor}.2.${row}`]: encoded.integer(scale),
      [`${sensor}.3.${row}`]: encoded.integer(precision),
      [`${sensor}.4.${row}`]: encoded.integer(value),
      [`${sensor}.5.${row}`]: encoded.integer(status),
      [`${entity}.7.${row}`]: encoded.text(text),
    })
    const target = await agentOf({
      ...one(1, 'Châssis', 8, 9, 1, 415),
      ...one(2, 'Ventilateur 1', 10, 9, 0, 5_400),
      ...one(3, 'Alimentation 12 V', 4, 8, 0, 12_060),
      ...one(4, 'Te1/1 émission', 14, 9, 2, -234),
      ...one(5, 'Humidité', 9, 9, 0, 45),
      ...one(6, 'Ventilateur 2', 10, 9, 0, 0, 3),
      ...one(7, 'Trop chaud pour le dire', 8, 9, 0, 1_000_000_000),
      [`${lm}.2.1.2.1`]: encoded.text('coretemp'),
      [`${lm}.2.1.3.1`]: encoded.gauge(48_500),
    })
    const { values, failure } = await runCheck('snmp_sensors', { exclude: ['humid*'] }, target)
    expect(failure).toBeNull()
    expect(values).toEqual({
      'temperature[Châssis]': 41.5,
      'sensor_status[Châssis]': 1,
      'fan[Ventilateur 1]': 5_400,
      'sensor_status[Ventilateur 1]': 1,
      'voltage[Alimentation 12 V]': 12.06,
      'sensor_status[Alimentation 12 V]': 1,
      'optical_power[Te1/1 émission]': -2.34,
      'sensor_status[Te1/1 émission]': 1,
      'sensor_status[Ventilateur 2]': 3,
      'sensor_status[Trop chaud pour le dire]': 1,
      'temperature[coretemp]': 48.5,
    })
  })
})

describe('a Cisco router', () => {
  it('its processor and memory come from Cisco’s MIBs, its clock from SNMPv3’s', async () => {
    const cisco = '1.3.6.1.4.1.9.9'
    const target = await agentOf({
      '1.3.6.1.2.1.1.3.0': encoded.ticks(1_000),
      '1.3.6.1.6.3.10.2.1.3.0': encoded.integer(50_000_000),
      [`${cisco}.109.1.1.1.1.7.1`]: encoded.gauge(23),
      [`${cisco}.48.1.1.1.5.1`]: encoded.gauge(750),
      [`${cisco}.48.1.1.1.6.1`]: encoded.gauge(250),
    })
    const { values } = await runCheck('snmp_system', {}, target)
    expect(values).toEqual({ uptime: 50_000_000, cpu_used_ratio: 0.23, memory_used_ratio: 0.75, memory_free: 250 })
  })
})
