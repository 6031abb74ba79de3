import { Button, Loader } from '@mantine/core'
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react'
import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useState } from 'react'
import { fr } from '../i18n/fr.ts'
import { ApiError } from '../lib/http.ts'
import classes from './page.module.css'

export { PageHeader } from './page-slots.tsx'

interface CardProps extends Omit<ComponentPropsWithoutRef<'section'>, 'title'> {
  readonly title?: ReactNode
  /** At the right of the title. */
  readonly aside?: ReactNode
  /** Takes the focus and comes into sight with the card, whose content somebody has asked for. */
  readonly arrives?: boolean
  /** Without inner margins: the content (a table) touches the edges. */
  readonly flush?: boolean
}

/** A surface with an optional title. */
export const Card = ({ title, aside, arrives = false, flush = false, children, className, ...rest }: CardProps) => (
  <section className={[classes.card, className].filter(Boolean).join(' ')} data-flush={flush || undefined} {...rest}>
    {(title !== undefined || aside !== undefined) && (
      <header className={classes.cardHeader}>
        {title !== undefined && (
          <h2 className={classes.cardTitle} {...(arrives && { tabIndex: -1, ref: showHeading })}>
            {title}
          </h2>
        )}
        {aside !== undefined && <div className={classes.cardAside}>{aside}</div>}
      </header>
    )}
    {children}
  </section>
)

const showHeading = (heading: HTMLHeadingElement | null): void => {
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'start' })
}

interface EmptyStateProps {
  readonly title: string
  /** What to do next. */
  readonly children?: ReactNode
  readonly icon?: ReactNode
  /** A button or a link. */
  readonly action?: ReactNode
}

/** Nothing to show, and what to do about it. */
export const EmptyState = ({ title, children, icon, action }: EmptyStateProps) => (
  <div className={classes.state}>
    <div className={classes.stateIcon} aria-hidden="true">
      {icon ?? <IconInbox size={28} stroke={1.6} />}
    </div>
    <p className={classes.stateTitle}>{title}</p>
    {children !== undefined && <div className={classes.stateText}>{children}</div>}
    {action}
  </div>
)

interface ErrorStateProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** What failed, in French, and a way to try again. */
export const ErrorState = ({ error, onRetry }: ErrorStateProps) => (
  <div className={classes.state} role="alert">
    <div className={classes.stateIcon} data-error aria-hidden="true">
      <IconAlertTriangle size={28} stroke={1.6} />
    </div>
    <p className={classes.stateTitle}>{fr.states.errorTitle}</p>
    <div className={classes.stateText}>{errorText(error)}</div>
    {onRetry !== undefined && (
      <Button variant="default" onClick={onRetry}>
        {fr.common.retry}
      </Button>
    )}
  </div>
)

/** The sentences of a refusal, or a general one. */
export const errorText = (error: unknown): string => (error instanceof ApiError ? error.message : fr.states.renderText)

/** A wait is shown only once it is felt. */
const FELT_MS = 200

/** A loader that appears only when the wait is felt; `height` keeps the layout from shifting. */
export const LoadingState = ({ height = 240 }: { readonly height?: number }) => {
  const [felt, setFelt] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setFelt(true), FELT_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={classes.loading} style={{ minHeight: height }} role="status" aria-label={fr.common.loading}>
      {felt && <Loader size="sm" />}
    </div>
  )
}

interface NotLoadedProps {
  readonly error: unknown
  readonly onRetry: () => unknown
  /** Of what is waited for, px. */
  readonly height?: number
  /** Why it failed stands on a card of its own: nothing around it is one. */
  readonly isAlone?: boolean
}

/** Stands for data that is not there: a wait, then what failed and a way to try again. */
export const NotLoaded = ({ error, onRetry, height, isAlone = false }: NotLoadedProps) => {
  if (error === null || error === undefined) return <LoadingState {...(height !== undefined && { height })} />
  const failed = <ErrorState error={error} onRetry={() => void onRetry()} />
  return isAlone ? <Card>{failed}</Card> : failed
}
