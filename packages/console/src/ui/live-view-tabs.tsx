import { PageTabs } from './page-tabs.tsx'

/** Pages that stand under the live view, in the order of its tabs; the menu of the requirements has none of them. */
const TABS = [
  { key: 'problems', label: 'Problèmes', to: '/dashboard/live-view' },
  { key: 'incident', label: 'Incidents', to: '/dashboard/live-view/incident?open=true' },
  { key: 'maintenance', label: 'Maintenances', to: '/dashboard/live-view/maintenance' },
] as const
type LiveViewTab = (typeof TABS)[number]['key']

/** Leads from one page of the live view to another, under its title. */
export const LiveViewTabs = ({ current }: { readonly current: LiveViewTab }) => (
  <PageTabs label="Vues du direct" tabs={TABS} current={current} />
)
