import { dns } from './checks/dns.ts'
import { http } from './checks/http.ts'
import { imap } from './checks/imap.ts'
import { ldap } from './checks/ldap.ts'
import { ntp } from './checks/ntp.ts'
import { openmetrics } from './checks/openmetrics.ts'
import { ping } from './checks/ping.ts'
import { push } from './checks/push.ts'
import { smtp } from './checks/smtp.ts'
import { snmp } from './checks/snmp.ts'
import { snmpInterfaces } from './checks/snmp-interfaces.ts'
import { snmpPrinter } from './checks/snmp-printer.ts'
import { snmpSensors } from './checks/snmp-sensors.ts'
import { snmpStorage } from './checks/snmp-storage.ts'
import { snmpSystem } from './checks/snmp-system.ts'
import { snmpUps } from './checks/snmp-ups.ts'
import { sql } from './checks/sql.ts'
import { ssh } from './checks/ssh.ts'
import { syslog } from './checks/syslog.ts'
import { system } from './checks/system.ts'
import { tcp } from './checks/tcp.ts'
import { tls } from './checks/tls.ts'
import { trap } from './checks/trap.ts'

/** Made by `npm run kinds`: not to be changed by hand. */
export const KINDS = {
  ping,
  tcp,
  http,
  system,
  dns,
  ntp,
  tls,
  smtp,
  imap,
  snmp,
  snmp_system: snmpSystem,
  snmp_interfaces: snmpInterfaces,
  snmp_storage: snmpStorage,
  snmp_ups: snmpUps,
  snmp_printer: snmpPrinter,
  snmp_sensors: snmpSensors,
  ssh,
  ldap,
  sql,
  trap,
  syslog,
  push,
  openmetrics,
}
