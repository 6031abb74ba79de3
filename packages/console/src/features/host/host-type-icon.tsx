import type { HostTypeInput } from '@narval/contracts'
import {
  IconAntenna,
  IconBattery3,
  IconCloud,
  IconCpu,
  IconDatabase,
  IconDeviceCctv,
  IconDeviceDesktop,
  IconDeviceLaptop,
  IconDevices,
  IconPhone,
  IconPrinter,
  IconRouter,
  IconServer,
  IconServer2,
  IconShieldLock,
  IconSwitchHorizontal,
  IconTemperature,
  IconWall,
  IconWifi,
  IconWorld,
} from '@tabler/icons-react'

type IconName = HostTypeInput['icon']
const ICONS: Readonly<Record<IconName, typeof IconDevices>> = {
  server: IconServer,
  'server-2': IconServer2,
  router: IconRouter,
  switch: IconSwitchHorizontal,
  wall: IconWall,
  'shield-lock': IconShieldLock,
  wifi: IconWifi,
  antenna: IconAntenna,
  printer: IconPrinter,
  battery: IconBattery3,
  camera: IconDeviceCctv,
  phone: IconPhone,
  'device-desktop': IconDeviceDesktop,
  'device-laptop': IconDeviceLaptop,
  cpu: IconCpu,
  cloud: IconCloud,
  world: IconWorld,
  database: IconDatabase,
  temperature: IconTemperature,
  device: IconDevices,
}

/** What each icon shows, for those who choose one without seeing it. */
export const HOST_ICON_WORDS: Readonly<Record<IconName, string>> = {
  server: 'Serveur',
  'server-2': 'Baie de serveurs',
  router: 'Routeur',
  switch: 'Commutateur',
  wall: 'Pare-feu',
  'shield-lock': 'Sécurité',
  wifi: 'Sans fil',
  antenna: 'Antenne',
  printer: 'Imprimante',
  battery: 'Onduleur',
  camera: 'Caméra',
  phone: 'Téléphone',
  'device-desktop': 'Poste de travail',
  'device-laptop': 'Portable',
  cpu: 'Automate',
  cloud: 'Nuage',
  world: 'Service web',
  database: 'Base de données',
  temperature: 'Température',
  device: 'Autre équipement',
}

const isKnown = (name: string): name is IconName => Object.hasOwn(ICONS, name)

/** The icon of a type of equipment. */
export const HostTypeIcon = ({ icon, size = 16 }: { readonly icon: string; readonly size?: number }) => {
  const Icon = isKnown(icon) ? ICONS[icon] : IconDevices
  return <Icon size={size} stroke={1.7} aria-hidden />
}
