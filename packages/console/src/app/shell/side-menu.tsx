import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../lib/session.ts'
import {
  ADMINISTRATION_HEADING,
  ADMINISTRATION_MENU,
  activeLink,
  GENERAL_MENU,
  isGroup,
  type MenuEntry,
  type MenuGroup,
  type MenuLink,
  visibleMenu,
} from '../menu.ts'
import { EntryIcon } from './menu-icons.tsx'
import classes from './side-bar.module.css'

interface SideMenuProps {
  readonly folded: boolean
  readonly onUnfold: () => void
  readonly onFollow: () => void
}

/** The menu of spec §2 by the account's claims; the heading only when something is under it. */
export const SideMenu = (props: SideMenuProps) => {
  const { can } = useSession()
  const { pathname } = useLocation()
  const general = visibleMenu(GENERAL_MENU, can)
  const administration = visibleMenu(ADMINISTRATION_MENU, can)
  const active = activeLink([...general, ...administration], pathname)
  const heading = useId()
  return (
    <>
      <ul className={classes.menu}>
        {general.map(entry => (
          <Entry key={entry.label} entry={entry} active={active} {...props} />
        ))}
      </ul>
      {administration.length > 0 && (
        <>
          <p className={classes.heading} id={heading}>
            {ADMINISTRATION_HEADING}
          </p>
          <ul className={classes.menu} aria-labelledby={heading}>
            {administration.map(entry => (
              <Entry key={entry.label} entry={entry} active={active} {...props} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

interface EntryProps<E extends MenuEntry> extends SideMenuProps {
  readonly entry: E
  readonly active: string | null
}

const Entry = ({ entry, ...rest }: EntryProps<MenuEntry>) =>
  isGroup(entry) ? <Group entry={entry} {...rest} /> : <LinkEntry entry={entry} {...rest} />

const LinkEntry = ({ entry, active, folded, onFollow }: EntryProps<MenuLink>) => (
  <li>
    <Link
      className={classes.entry}
      to={entry.to}
      onClick={onFollow}
      aria-current={active === entry.to ? 'page' : undefined}
      title={folded ? entry.label : undefined}
    >
      <EntryIcon icon={entry.icon} />
      <span className={classes.label}>{entry.label}</span>
    </Link>
  </li>
)

const Group = ({ entry, active, folded, onUnfold, onFollow }: EntryProps<MenuGroup>) => {
  const holdsActive = entry.children.some(child => child.to === active)
  const [open, setOpen] = useState(entry.open === true || holdsActive)
  const list = useId()
  const toggle = (): void => {
    setOpen(folded || !open)
    if (folded) onUnfold()
  }
  return (
    <li>
      <button
        type="button"
        className={classes.entry}
        onClick={toggle}
        aria-expanded={open && !folded}
        aria-controls={list}
        data-holds-active={(holdsActive && (folded || !open)) || undefined}
        title={folded ? entry.label : undefined}
      >
        <EntryIcon icon={entry.icon} />
        <span className={classes.label}>{entry.label}</span>
        <IconChevronRight className={classes.chevron} size={15} stroke={2} aria-hidden="true" />
      </button>
      <ul className={classes.children} id={list} hidden={!open || folded}>
        {entry.children.map(child => (
          <LinkEntry
            key={child.to}
            entry={child}
            active={active}
            folded={folded}
            onUnfold={onUnfold}
            onFollow={onFollow}
          />
        ))}
      </ul>
    </li>
  )
}
