import type { CheckKind } from '@narval/contracts'
import { type CheckRunner, runsNowhere } from './check.ts'
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

/** Made by `npm run kinds`: not to be changed by hand. */
export const createRunners = (): Readonly<Record<CheckKind, CheckRunner>> => ({
  ping,
  tcp,
  http,
  system: createSystemRunner(),
  dns,
  ntp,
  tls,
  smtp,
  imap,
  snmp,
  snmp_system: snmpSystem,
  snmp_interfaces: createSnmpInterfacesRunner(),
  snmp_storage: snmpStorage,
  snmp_ups: snmpUps,
  snmp_printer: snmpPrinter,
  snmp_sensors: snmpSensors,
  ssh,
  ldap,
  sql,
  trap,
  syslog,
  push: runsNowhere('push'),
  openmetrics,
})
