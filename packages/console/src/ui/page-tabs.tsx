import { Link } from 'react-router'
import classes from './page-tabs.module.css'

interface PageTabsProps<Key extends string> {
  /** Says what the pages have in common. */
  readonly label: string
  readonly tabs: readonly { readonly key: Key; readonly label: string; readonly to: string }[]
  readonly current: Key
}

/** Leads from one page to another of the same kind, under its title. */
export const PageTabs = <Key extends string>({ label: name, tabs, current }: PageTabsProps<Key>) => (
  <nav className={classes.tabs} aria-label={name}>
    {tabs.map(({ key, label, to }) => (
      <Link key={key} className={classes.tab} to={to} aria-current={key === current ? 'page' : undefined}>
        {label}
      </Link>
    ))}
  </nav>
)
