import { CHECKS, type CheckFamily, type CheckKind } from '@narval/contracts'
import {
  IconActivity,
  IconAddressBook,
  IconArrowsExchange,
  IconBatteryCharging,
  IconBell,
  IconCertificate,
  IconChartDots,
  IconClock,
  IconCloudUpload,
  IconCpu,
  IconDatabase,
  IconFileText,
  IconInbox,
  IconMail,
  IconMailForward,
  IconPlugConnected,
  IconPrinter,
  IconRouter,
  IconServer,
  IconTemperature,
  IconTerminal2,
  IconWorld,
  IconWorldSearch,
} from '@tabler/icons-react'

const FAMILY_ICONS = {
  Réseau: IconPlugConnected,
  Web: IconWorld,
  SNMP: IconRouter,
  Messagerie: IconMail,
  'Annuaire et données': IconDatabase,
  Système: IconCpu,
  Réception: IconInbox,
} as const satisfies Record<CheckFamily, unknown>

/** Kinds with a picture of their own; a kind that is not here has its family's. */
const ICONS: Readonly<Record<string, typeof IconActivity>> = {
  ping: IconActivity,
  dns: IconWorldSearch,
  ntp: IconClock,
  tls: IconCertificate,
  ssh: IconTerminal2,
  smtp: IconMailForward,
  imap: IconInbox,
  ldap: IconAddressBook,
  openmetrics: IconChartDots,
  push: IconCloudUpload,
  trap: IconBell,
  syslog: IconFileText,
  snmp_interfaces: IconArrowsExchange,
  snmp_storage: IconDatabase,
  snmp_system: IconServer,
  snmp_ups: IconBatteryCharging,
  snmp_printer: IconPrinter,
  snmp_sensors: IconTemperature,
}

/** The picture of a kind of check. */
export const KindIcon = ({ kind, size = 20 }: { readonly kind: CheckKind; readonly size?: number }) => {
  const Icon = ICONS[kind] ?? FAMILY_ICONS[CHECKS[kind].family]
  return <Icon size={size} stroke={1.7} aria-hidden />
}
