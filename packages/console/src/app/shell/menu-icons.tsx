import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBuilding,
  IconChartHistogram,
  IconChartLine,
  IconEdit,
  IconFileText,
  IconForms,
  IconGridDots,
  IconHeartbeat,
  IconLayoutDashboard,
  type IconProps,
  IconRadar2,
  IconServer,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { MenuIcon } from '../menu.ts'

const ICONS: Readonly<Record<MenuIcon, ComponentType<IconProps>>> = {
  dashboard: IconLayoutDashboard,
  general: IconActivity,
  status: IconChartHistogram,
  grid: IconGridDots,
  site: IconBuilding,
  host: IconServer,
  metric: IconChartLine,
  edit: IconEdit,
  field: IconForms,
  scanner: IconRadar2,
  users: IconUsers,
  user: IconUser,
  group: IconUsersGroup,
  probe: IconHeartbeat,
  service: IconAdjustmentsHorizontal,
  log: IconFileText,
}

export const EntryIcon = ({ icon }: { readonly icon: MenuIcon }) => {
  const Icon = ICONS[icon]
  return <Icon size={18} stroke={1.7} aria-hidden="true" />
}
