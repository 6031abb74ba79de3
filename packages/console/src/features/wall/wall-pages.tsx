import { DISPLAY_TOKEN_PREFIX } from '@narval/contracts'
import { IconX } from '@tabler/icons-react'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { readWallChoice } from '../../lib/wall-choice.ts'
import { fr } from './fr.ts'
import classes from './wall.module.css'
import { Message, WallScreen } from './wall-screen.tsx'
import { sessionSource, tokenSource } from './wall-source.ts'

const LIVE_VIEW = '/dashboard/live-view'

/** Leaving full screen is heard, and leads away; where there is none, `leave` does. */
const leaveFullScreen = (leave: () => void): void => {
  if (document.fullscreenElement === null) leave()
  else document.exitFullscreen().catch(leave)
}

/** dashboard/wall: the wall of who is signed in; leaving full screen, or Escape, leads back to the live view. */
export const AccountWall = () => {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const wasFull = useRef(document.fullscreenElement !== null)
  useEffect(() => {
    const leave = (): void => void navigate(LIVE_VIEW)
    const change = (): void => {
      if (document.fullscreenElement !== null) wasFull.current = true
      else if (wasFull.current) leave()
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leaveFullScreen(leave)
    }
    document.addEventListener('fullscreenchange', change)
    document.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('fullscreenchange', change)
      document.removeEventListener('keydown', press)
    }
  }, [navigate])
  const leave = (): void => leaveFullScreen(() => void navigate(LIVE_VIEW))
  return (
    <WallScreen
      source={sessionSource}
      choice={readWallChoice(params)}
      leave={
        <button type="button" className={classes.leave} onClick={leave} aria-label={fr.leave} title={fr.leave}>
          <IconX aria-hidden="true" />
        </button>
      }
    />
  )
}

/** /wall#token: the wall of a screen that nobody is signed in on. */
export const TokenWall = () => {
  const [params] = useSearchParams()
  const token = useLocation().hash.slice(1)
  const source = useMemo(() => tokenSource(token), [token])
  if (!token.startsWith(DISPLAY_TOKEN_PREFIX))
    return (
      <main className={classes.wall}>
        <Message title={fr.missingTitle}>{fr.missingText}</Message>
      </main>
    )
  return <WallScreen key={token} source={source} choice={readWallChoice(params)} />
}
