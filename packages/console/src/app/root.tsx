import { lazy, Suspense } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'
import { fr } from '../i18n/fr.ts'
import { useToastsWanted } from '../ui/toast.ts'
import classes from './root.module.css'

const ToastHost = lazy(async () => ({ default: (await import('./toast-host.tsx')).ToastHost }))

/** What every page has: toasts, and the view at the top after a navigation (spec §2). */
export const Root = () => {
  const toasts = useToastsWanted()
  return (
    <>
      <Outlet />
      {toasts && (
        <Suspense>
          <ToastHost />
        </Suspense>
      )}
      <ScrollRestoration />
    </>
  )
}

/** While the session starts: nothing that would flash. */
export const Starting = () => <div className={classes.starting} role="status" aria-label={fr.common.loading} />

/** The last resort: the console itself failed. */
export const RootError = () => (
  <main className={classes.failure}>
    <h1>{fr.states.renderTitle}</h1>
    <p>{fr.states.renderText}</p>
    <button type="button" onClick={() => location.reload()}>
      {fr.states.reload}
    </button>
  </main>
)
