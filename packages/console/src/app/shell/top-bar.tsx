import { IconLogout, IconMaximize, IconMenu2, IconMinimize } from '@tabler/icons-react'
import { fr } from '../../i18n/fr.ts'
import { signOut } from '../../lib/session.ts'
import { CommentsMenu } from './comments-menu.tsx'
import dropdown from './dropdown.module.css'
import { useFullScreen } from './full-screen.ts'
import { NotificationsMenu } from './notifications-menu.tsx'
import classes from './top-bar.module.css'
import { TopLinks } from './top-links.tsx'

interface TopBarProps {
  readonly menuOpen: boolean
  readonly onToggleMenu: () => void
}

/** The top bar of spec §2. */
export const TopBar = ({ menuOpen, onToggleMenu }: TopBarProps) => (
  <header className={classes.bar}>
    <button
      type="button"
      className={dropdown.button}
      onClick={onToggleMenu}
      aria-expanded={menuOpen}
      aria-controls="side-bar"
      aria-label={fr.shell.toggleMenu}
      title={fr.shell.toggleMenu}
    >
      <IconMenu2 size={20} stroke={1.7} />
    </button>
    <nav className={classes.links} aria-label={fr.shell.topBar}>
      <TopLinks />
    </nav>
    <div className={classes.tools}>
      <CommentsMenu />
      <NotificationsMenu />
      <FullScreenToggle />
      <button type="button" className={classes.logout} onClick={signOut} title={fr.shell.logout}>
        <IconLogout size={20} stroke={1.7} aria-hidden="true" />
        <span>{fr.shell.logout}</span>
      </button>
    </div>
  </header>
)

const FullScreenToggle = () => {
  const { on, toggle, possible } = useFullScreen()
  const label = on ? fr.shell.leaveFullScreen : fr.shell.enterFullScreen
  return (
    <button
      type="button"
      className={dropdown.button}
      onClick={toggle}
      aria-pressed={on}
      aria-label={label}
      title={label}
      disabled={!possible}
    >
      {on ? <IconMinimize size={20} stroke={1.7} /> : <IconMaximize size={20} stroke={1.7} />}
    </button>
  )
}
