import { PageTabs } from './page-tabs.tsx'

/** Pages that stand under « Statuts », in the order of its tabs; the menu of the requirements has none of them. */
const TABS = [
  { key: 'hours', label: 'Heure par heure', to: '/dashboard/status-view' },
  { key: 'map', label: 'Carte', to: '/dashboard/status-view/map' },
  { key: 'topology', label: 'Topologie', to: '/dashboard/status-view/topology' },
  { key: 'availability', label: 'Disponibilité', to: '/dashboard/status-view/availability' },
] as const
type StatusViewTab = (typeof TABS)[number]['key']

/** Leads from one page of « Statuts » to another, under its title. */
export const StatusViewTabs = ({ current }: { readonly current: StatusViewTab }) => (
  <PageTabs label="Vues des statuts" tabs={TABS} current={current} />
)
