import { Link } from 'react-router'
import classes from './live-view-tabs.module.css'

/** Pages that stand under the live view, in the order of its tabs; the menu of the requirements has none of them. */
const TABS = [
  { key: 'problems', label: 'Problèmes', to: '/dashboard/live-view' },
  { key: 'incident', label: 'Incidents', to: '/dashboard/live-view/incident?open=true' },
  { key: 'maintenance', label: 'Maintenances', to: '/dashboard/live-view/maintenance' },
] as const
type LiveViewTab = (typeof TABS)[number]['key']

/** Leads from one page of the live view to another, under its title. */
export const LiveViewTabs = ({ current }: { readonly current: LiveViewTab }) => (
  <nav className={classes.tabs} aria-label="Vues du direct">
    {TABS.map(({ key, label, to }) => (
      <Link key={key} className={classes.tab} to={to} aria-current={key === current ? 'page' : undefined}>
        {label}
      </Link>
    ))}
  </nav>
)
