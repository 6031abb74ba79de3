import type { Wall } from '@narval/contracts'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatAgo, formatDuration } from '../../lib/format.ts'
import { isFrozen, slidesOf, type WallChoice, type WallSlide } from '../../lib/wall-choice.ts'
import { useTicking } from '../../ui/time.tsx'
import { fr } from './fr.ts'
import { useRoom } from './use-room.ts'
import { useWall, type WallData } from './use-wall.ts'
import classes from './wall.module.css'
import { HostsView } from './wall-hosts.tsx'
import { ProblemsView, problemsPerPage } from './wall-problems.tsx'
import { SitesView, sitesPerPage } from './wall-sites.tsx'
import type { WallSource } from './wall-source.ts'
import { WallTiles } from './wall-tiles.tsx'

interface WallScreenProps {
  readonly source: WallSource
  readonly choice: WallChoice
  /** In a corner: how one leaves, where one can. */
  readonly leave?: ReactNode
}

/** A wall: counters, and views that take turns, on one screen without scrolling. It never acts, and never hides its age. */
export const WallScreen = ({ source, choice, leave }: WallScreenProps) => {
  useAwake()
  useTheme(choice.theme)
  const data = useWall(source, choice.views.includes('hosts'))
  const { wall, refused } = data
  useTitle(wall?.product ?? null)
  const frozen = useTicking(nowMs => data.heardMs !== null && isFrozen(nowMs - data.heardMs, data.failed))
  return (
    <main className={classes.wall} data-frozen={frozen || undefined}>
      <Head wall={wall} data={data} frozen={frozen} leave={leave} />
      {frozen && <Frozen heardMs={data.heardMs ?? 0} />}
      {refused ? (
        <Message title={fr.refusedTitle}>{fr.refusedText}</Message>
      ) : wall === null ? (
        <Message title={fr.never}>{data.failed ? fr.noAnswer : ''}</Message>
      ) : (
        <>
          <WallTiles wall={wall} />
          <Turning data={data} wall={wall} choice={choice} />
        </>
      )}
    </main>
  )
}

const hour = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', day: 'numeric', month: 'long' })

interface HeadProps {
  readonly wall: Wall | null
  readonly data: WallData
  readonly frozen: boolean
  readonly leave: ReactNode
}

const Head = ({ wall, data: { heardMs }, frozen, leave }: HeadProps) => {
  const clock = useTicking(nowMs => hour.format(nowMs))
  const date = useTicking(nowMs => day.format(nowMs))
  const ago = useTicking(nowMs => (heardMs === null ? '' : formatAgo(Math.min(heardMs, nowMs), nowMs)))
  return (
    <header className={classes.head}>
      <div className={classes.who}>
        <h1>{wall?.product ?? 'Narval'}</h1>
        <p>{[wall?.siteName, wall?.name].filter(Boolean).join(' · ')}</p>
      </div>
      {leave}
      <div className={classes.age} data-off={frozen || undefined}>
        {heardMs !== null && !frozen && (
          <>
            <span className={classes.dot} aria-hidden="true" />
            {fr.upToDate(ago)}
          </>
        )}
      </div>
      <div className={classes.when}>
        <span className={classes.date}>{date}</span>
        <time className={classes.clock}>{clock}</time>
      </div>
    </header>
  )
}

/** Large, and impossible to miss from across a room. */
const Frozen = ({ heardMs }: { readonly heardMs: number }) => {
  const duration = useTicking(nowMs => formatDuration(nowMs - heardMs))
  return (
    <div className={classes.frozen} role="alert">
      <IconPlugConnectedX aria-hidden="true" />
      <strong>{fr.frozen(duration)}</strong>
      <span>{fr.frozenHelp}</span>
    </div>
  )
}

export const Message = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={classes.message}>
    <h2>{title}</h2>
    <p>{children}</p>
  </div>
)

interface TurningProps {
  readonly data: WallData
  readonly wall: Wall
  readonly choice: WallChoice
}

/** The views in turn, page after page, each as long as was asked. */
const Turning = ({ data, wall, choice }: TurningProps) => {
  const { ref, room } = useRoom()
  const perPage = { problems: problemsPerPage(room), sites: sitesPerPage(room) }
  const slides = slidesOf(choice.views, {
    problems: Math.ceil(wall.problems.rows.length / perPage.problems),
    hosts: 1,
    sites: Math.ceil(wall.sites.rows.length / perPage.sites),
  })
  const slide = useTurn(slides, choice.seconds)
  return (
    <>
      <div className={classes.title}>
        <h2>{fr.views[slide.view]}</h2>
        <p>{countOf(slide, wall, data)}</p>
        {slide.pages > 1 && <p>{fr.page(slide.page + 1, slide.pages)}</p>}
        {slides.length > 1 && <Dots slides={slides} slide={slide} />}
      </div>
      <section ref={ref} className={classes.view} aria-label={fr.views[slide.view]}>
        {slide.view === 'problems' && <ProblemsView wall={wall} page={slide.page} perPage={perPage.problems} />}
        {slide.view === 'hosts' && <HostsView grid={data.hosts} room={room} />}
        {slide.view === 'sites' && <SitesView wall={wall} page={slide.page} perPage={perPage.sites} room={room} />}
      </section>
    </>
  )
}

const countOf = ({ view }: WallSlide, { problems, sites }: Wall, { hosts }: WallData): string => {
  if (view === 'problems') return fr.problems(problems.rows.length, problems.total)
  return view === 'sites' ? fr.sites(sites.total) : hosts === null ? '' : fr.hosts(hosts.id.length)
}

const useTurn = (slides: readonly WallSlide[], seconds: number): WallSlide => {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTurn(before => before + 1), seconds * 1_000)
    return () => clearInterval(timer)
  }, [seconds])
  return slides[turn % slides.length] ?? { view: 'problems', page: 0, pages: 1 }
}

const Dots = ({ slides, slide }: { readonly slides: readonly WallSlide[]; readonly slide: WallSlide }) => (
  <span className={classes.dots} aria-hidden="true">
    {slides.map(one => (
      <i key={`${one.view} ${one.page}`} data-on={(one.view === slide.view && one.page === slide.page) || undefined} />
    ))}
  </span>
)

/** Nothing is asked for it: a screen without session asks for what it shows alone. */
const useTitle = (product: string | null): void => {
  useEffect(() => {
    document.title = product === null ? fr.title : `${fr.title} · ${product}`
  }, [product])
}

/** The wall's own theme as long as it is there. */
const useTheme = (theme: WallChoice['theme']): void => {
  useEffect(() => {
    const root = document.documentElement
    const before = root.getAttribute('data-mantine-color-scheme')
    root.setAttribute('data-mantine-color-scheme', theme)
    return () => root.setAttribute('data-mantine-color-scheme', before ?? 'light')
  }, [theme])
}

/** Keeps the screen from going dark, where the browser can; asked again when the page comes back to sight. */
const useAwake = (): void => {
  useEffect(() => {
    let held: WakeLockSentinel | null = null
    const hold = (): void => {
      const lock: WakeLock | undefined = navigator.wakeLock
      if (lock === undefined || document.visibilityState !== 'visible') return
      lock.request('screen').then(
        sentinel => {
          held = sentinel
        },
        () => {},
      )
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => {
      document.removeEventListener('visibilitychange', hold)
      held?.release().catch(() => {})
    }
  }, [])
}
