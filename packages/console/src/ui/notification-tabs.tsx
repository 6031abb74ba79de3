import { PageTabs } from './page-tabs.tsx'

/** Pages of the setting up of notifications, in the order of their tabs. */
const TABS = [
  { key: 'channel', label: 'Canaux', to: '/system/notification' },
  { key: 'rule', label: 'Règles', to: '/system/notification/rule' },
  { key: 'simulator', label: 'Simulateur', to: '/system/notification/simulator' },
  { key: 'delivery', label: 'Envois', to: '/system/notification/delivery' },
] as const
type NotificationTab = (typeof TABS)[number]['key']

/** Leads from one page of notifications to another, under its title. */
export const NotificationTabs = ({ current }: { readonly current: NotificationTab }) => (
  <PageTabs label="Notifications" tabs={TABS} current={current} />
)
