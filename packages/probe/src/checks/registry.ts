import type { CheckKind } from '@narval/contracts'
import { failed } from '../failure.ts'
import { fr } from '../fr.ts'
import type { CheckRunner } from './check.ts'
import { dns } from './dns.ts'
import { http } from './http.ts'
import { imap } from './imap.ts'
import { ldap } from './ldap.ts'
import { ntp } from './ntp.ts'
import { openmetrics } from './openmetrics.ts'
import { ping } from './ping.ts'
import { smtp } from './smtp.ts'
import { snmp } from './snmp.ts'
import { createSnmpInterfacesRunner } from './snmp-interfaces.ts'
import { snmpPrinter } from './snmp-printer.ts'
import { snmpSensors } from './snmp-sensors.ts'
import { snmpStorage } from './snmp-storage.ts'
import { snmpSystem } from './snmp-system.ts'
import { snmpUps } from './snmp-ups.ts'
import { sql } from './sql.ts'
import { ssh } from './ssh.ts'
import { syslog } from './syslog.ts'
import { createSystemRunner } from './system.ts'
import { tcp } from './tcp.ts'
import { tls } from './tls.ts'
import { trap } from './trap.ts'

/** Every kind of check, and how many of it may run at once: the bounds of the probe's memory and sockets. */
export interface RegisteredCheck {
  readonly run: CheckRunner
  readonly concurrency: number
}

export type RegisteredChecks = Readonly<Record<CheckKind, RegisteredCheck>>

export const createRegistry = (): RegisteredChecks => ({
  ping: { run: ping, concurrency: 4_000 },
  tcp: { run: tcp, concurrency: 512 },
  http: { run: http, concurrency: 256 },
  system: { run: createSystemRunner(), concurrency: 4 },
  dns: { run: dns, concurrency: 256 },
  ntp: { run: ntp, concurrency: 256 },
  tls: { run: tls, concurrency: 256 },
  smtp: { run: smtp, concurrency: 128 },
  imap: { run: imap, concurrency: 128 },
  snmp: { run: snmp, concurrency: 256 },
  snmp_system: { run: snmpSystem, concurrency: 256 },
  snmp_interfaces: { run: createSnmpInterfacesRunner(), concurrency: 256 },
  snmp_storage: { run: snmpStorage, concurrency: 256 },
  snmp_ups: { run: snmpUps, concurrency: 256 },
  snmp_printer: { run: snmpPrinter, concurrency: 256 },
  snmp_sensors: { run: snmpSensors, concurrency: 256 },
  ssh: { run: ssh, concurrency: 128 },
  ldap: { run: ldap, concurrency: 128 },
  sql: { run: sql, concurrency: 64 },
  trap: { run: trap, concurrency: 256 },
  syslog: { run: syslog, concurrency: 256 },
  // The server has these: a probe that is given one says so.
  push: { run: async () => failed('internal', fr.unknownKind('push')), concurrency: 1 },
  openmetrics: { run: openmetrics, concurrency: 16 },
})
