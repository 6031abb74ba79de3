import { IconSearch } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { avatarUrl, panelName } from '../../lib/account-name.ts'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { useSession } from '../../lib/session.ts'
import { Logo } from '../../ui/logo.tsx'
import { SearchBox } from './search-box.tsx'
import classes from './side-bar.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopLinks } from './top-links.tsx'

interface SideBarProps {
  readonly folded: boolean
  readonly onUnfold: () => void
  /** A link was followed: a drawer closes. */
  readonly onFollow: () => void
  readonly searchRef: RefObject<HTMLInputElement | null>
  /** Unfolds if need be, then puts the cursor in the search box. */
  readonly onSearch: () => void
  /** It is drawn to search: what opens with it puts the cursor there. */
  readonly seeks: boolean
  /** Also the links of the top bar, which has no room for them. */
  readonly withLinks: boolean
}

/** The side bar of spec §2: brand, user panel, search box, menu. */
export const SideBar = ({ folded, onUnfold, onFollow, searchRef, onSearch, seeks, withLinks }: SideBarProps) => (
  <div className={classes.bar} data-folded={folded || undefined}>
    <Brand onFollow={onFollow} />
    <UserPanel onFollow={onFollow} />
    {folded ? (
      <button
        type="button"
        className={classes.searchIcon}
        onClick={onSearch}
        aria-label={fr.shell.search}
        title={fr.shell.search}
      >
        <IconSearch size={18} stroke={1.7} />
      </button>
    ) : (
      <SearchBox inputRef={searchRef} onFollow={onFollow} isNarrow={withLinks} seeks={seeks} />
    )}
    <nav className={classes.scroll} aria-label={fr.shell.navigation}>
      <SideMenu folded={folded} onUnfold={onUnfold} onFollow={onFollow} />
    </nav>
    {withLinks && (
      <div className={classes.links}>
        <TopLinks onFollow={onFollow} />
      </div>
    )}
  </div>
)

interface FollowProps {
  readonly onFollow: () => void
}

const Brand = ({ onFollow }: FollowProps) => {
  const { name } = usePublicConfiguration()
  return (
    <Link className={classes.brand} to="/home" onClick={onFollow} title={name}>
      <Logo size={30} />
      <span className={classes.label}>{name}</span>
    </Link>
  )
}

const UserPanel = ({ onFollow }: FollowProps) => {
  const { user } = useSession()
  if (user === null) return null
  const name = panelName(user)
  return (
    <Link className={classes.user} to="/user/myaccount" onClick={onFollow} title={name}>
      <img className={classes.avatar} src={avatarUrl(user.avatar)} width={34} height={34} alt="" />
      <span className={classes.label}>{name}</span>
    </Link>
  )
}
