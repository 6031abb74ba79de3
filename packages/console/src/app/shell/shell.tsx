import { Drawer } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useMatches } from 'react-router'
import { fr } from '../../i18n/fr.ts'
import { usePublicConfiguration } from '../../lib/public-configuration.ts'
import { claimsOf, crumbsOf } from '../../lib/route-handle.ts'
import { useSession } from '../../lib/session.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import hiding from '../../ui/hidden.module.css'
import { PageSlotsProvider, usePageSlots } from '../../ui/page-slots.tsx'
import { wantToasts } from '../../ui/toast.ts'
import { MantineRoot } from '../mantine-root.tsx'
import { NARROW } from '../narrow.ts'
import { queryClient } from '../query-client.ts'
import { Alerts } from './alerts.tsx'
import { Forbidden, PageFailure } from './failure.tsx'
import { PageHead } from './page-head.tsx'
import { RealtimeBanner } from './realtime.tsx'
import classes from './shell.module.css'
import { SideBar } from './side-bar.tsx'
import { TopBar } from './top-bar.tsx'
import { useLiveRights } from './use-live-rights.ts'
import { useRecentObjects } from './use-search.ts'

/** The application shell of spec §2; who is not signed in (404 only) sees the bare content. */
export const Shell = () => <Frame content={<Outlet />} />

/** A page that failed fails alone: the shell stays. */
export const ShellError = () => <Frame content={<PageFailure />} />

const Frame = ({ content }: { readonly content: ReactNode }) => {
  const { phase } = useSession()
  useEffect(wantToasts, [])
  return (
    <MantineRoot>
      <QueryClientProvider client={queryClient}>
        {phase === 'signedIn' ? <Signed content={content} /> : <Bare content={content} />}
      </QueryClientProvider>
    </MantineRoot>
  )
}

const Bare = ({ content }: { readonly content: ReactNode }) => {
  const crumbs = crumbsOf(useMatches())
  useDocumentTitle(crumbs.at(-1)?.name ?? null)
  return <main className={classes.bare}>{content}</main>
}

/** The side bar: folded to icons or not; on narrow screens a drawer. */
const useSideBar = () => {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const [folded, setFolded] = useState(false)
  /** What the drawer was opened for: to search, it gives the cursor to the box itself, once it is drawn. */
  const [drawer, setDrawer] = useState<'menu' | 'search' | null>(null)
  const searchRef = useRef<HTMLInputElement>(null)
  const search = (): void => {
    if (narrow) setDrawer('search')
    else setFolded(false)
    if (searchRef.current !== null) searchRef.current.focus()
    // Once the box is drawn.
    else if (!narrow) setTimeout(() => searchRef.current?.focus(), 0)
  }
  useHotkeys([['mod+K', search]], [])
  return {
    narrow,
    folded: !narrow && folded,
    open: narrow ? drawer !== null : !folded,
    drawer: narrow && drawer !== null,
    seeks: narrow && drawer === 'search',
    searchRef,
    search,
    toggle: () => (narrow ? setDrawer(drawer === null ? 'menu' : null) : setFolded(!folded)),
    unfold: () => setFolded(false),
    closeDrawer: () => setDrawer(null),
  }
}

const Signed = ({ content }: { readonly content: ReactNode }) => {
  const side = useSideBar()
  useRecentObjects()
  useLiveRights()
  const bar = (
    <SideBar
      folded={side.folded}
      onUnfold={side.unfold}
      onFollow={side.closeDrawer}
      searchRef={side.searchRef}
      onSearch={side.search}
      seeks={side.seeks}
      withLinks={side.narrow}
    />
  )
  return (
    <div className={classes.frame} data-shell data-folded={side.folded || undefined}>
      <a className="skip" href="#content">
        {fr.shell.skip}
      </a>
      {side.narrow ? (
        <Drawer.Root opened={side.drawer} onClose={side.closeDrawer} size={272} id="side-bar">
          <Drawer.Overlay />
          <Drawer.Content className={classes.drawer} aria-label={fr.shell.navigation}>
            {bar}
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <aside className={classes.side} id="side-bar" aria-label={fr.shell.navigation}>
          {bar}
        </aside>
      )}
      <div className={classes.body}>
        <TopBar menuOpen={side.open} onToggleMenu={side.toggle} />
        <RealtimeBanner />
        <Page content={content} />
        <Footer />
      </div>
      <Alerts />
    </div>
  )
}

const Page = ({ content }: { readonly content: ReactNode }) => {
  const matches = useMatches()
  const { can, canEverywhere } = useSession()
  const { slots, title: given, ...refs } = usePageSlots()
  const { name } = usePublicConfiguration()
  const routed = crumbsOf(matches)
  const crumbs =
    given === null
      ? routed
      : routed.map((crumb, index) => (index === routed.length - 1 ? { ...crumb, name: given } : crumb))
  const title = crumbs.at(-1)?.name ?? name
  const allowed =
    claimsOf(matches).every(claims => can(...claims)) &&
    claimsOf(matches, true).every(claims => canEverywhere(...claims))
  useDocumentTitle(title)
  return (
    <main className={classes.main} id="content" tabIndex={-1}>
      <Announcement text={title} />
      <PageHead title={title} crumbs={crumbs} {...refs} />
      <PageSlotsProvider value={slots}>{allowed ? content : <Forbidden />}</PageSlotsProvider>
    </main>
  )
}

/** Tells the new page's name to screen readers, not that of the first page. */
const Announcement = ({ text }: { readonly text: string }) => {
  const { pathname } = useLocation()
  const first = useRef(pathname)
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (first.current !== pathname) setSaid(text)
  }, [pathname, text])
  return (
    <p className={hiding.hidden} aria-live="polite">
      {said}
    </p>
  )
}

const Footer = () => {
  const { name } = usePublicConfiguration()
  return (
    <footer className={classes.footer}>
      <span>
        {fr.shell.copyright} {name}
      </span>
      <span>{fr.shell.version}</span>
    </footer>
  )
}
