import type { ImportEntity } from '@narval/contracts'
import { createBrowserRouter, type RouteObject, redirect } from 'react-router'
import { keepReturn } from '../lib/return-path.ts'
import { session } from '../lib/session.ts'
import { goHome, leaveWhenSignedIn, requireSession, requireToken } from './guards.ts'
import { Root, RootError, Starting } from './root.tsx'

/** A section's module: its routes with their whole path (`site`, `site/edit`, `host/:id`). */
interface Section {
  readonly routes: RouteObject[]
}

/** The import of files, one page under three sections. */
const importOf = (entity: ImportEntity) => async (): Promise<Section> => ({
  routes: (await import('../features/import/routes.tsx')).routesOf(entity),
})

/** Sections loaded on demand (spec §2), by the first segment of their addresses. */
const SECTIONS: ReadonlyMap<string, readonly (() => Promise<Section>)[]> = new Map([
  [
    'dashboard',
    [
      () => import('../features/dashboard/routes.tsx'),
      () => import('../features/incident/routes.tsx'),
      () => import('../features/maintenance/routes.tsx'),
      () => import('../features/status/routes.tsx'),
      () => import('../features/availability/routes.tsx'),
      () => import('../features/host-status/routes.tsx'),
      () => import('../features/map/routes.tsx'),
      () => import('../features/topology/routes.tsx'),
    ],
  ],
  ['site', [() => import('../features/site/routes.tsx'), importOf('site')]],
  [
    'host',
    [
      () => import('../features/host/routes.tsx'),
      () => import('../features/first-run/routes.tsx'),
      () => import('../features/host-detail/routes.tsx'),
      () => import('../features/model/routes.tsx'),
      importOf('host'),
    ],
  ],
  [
    'metric',
    [
      () => import('../features/metric/routes.tsx'),
      () => import('../features/metric-detail/routes.tsx'),
      importOf('metric'),
    ],
  ],
  ['scanner', [() => import('../features/scanner/routes.tsx'), () => import('../features/discovery/routes.tsx')]],
  ['probe', [() => import('../features/probe/routes.tsx')]],
  ['user', [() => import('../features/user/routes.tsx'), () => import('../features/accounts/routes.tsx')]],
  ['customfield', [() => import('../features/customfield/routes.tsx')]],
  [
    'system',
    [
      () => import('../features/system/routes.tsx'),
      () => import('../features/notification-channel/routes.tsx'),
      () => import('../features/notification-rule/routes.tsx'),
      () => import('../features/display/routes.tsx'),
      () => import('../features/parameter/routes.tsx'),
    ],
  ],
  ['log', [() => import('../features/log/routes.tsx')]],
  ['comments', [() => import('../features/comments/routes.tsx')]],
  ['notifications', [() => import('../features/notifications/routes.tsx')]],
  // The readable reference stands where the API is: /api/docs.
  ['api', [() => import('../features/reference/routes.tsx')]],
])
const loaded = new Set<string>()
/** Why a section could not be loaded when it was last asked for. */
const failures = new Map<string, unknown>()

/** Stands for a section that is not there yet; once it is, its own routes come first. */
const placeOf = (name: string): RouteObject => ({
  path: `${name}/*`,
  loader: () => {
    throw failures.get(name) ?? redirect('/login')
  },
})

const always = () => true

const routes: RouteObject[] = [
  {
    id: 'root',
    path: '/',
    Component: Root,
    ErrorBoundary: RootError,
    HydrateFallback: Starting,
    children: [
      { index: true, loader: goHome },
      { path: 'home', loader: goHome },
      {
        path: 'login',
        handle: { title: 'Connexion' },
        loader: leaveWhenSignedIn,
        lazy: async () => ({ Component: (await import('../features/sign-in/login-page.tsx')).LoginPage }),
      },
      {
        path: 'password-reset',
        handle: { title: 'Réinitialisation du mot de passe' },
        loader: requireToken,
        lazy: async () => ({
          Component: (await import('../features/sign-in/password-reset-page.tsx')).PasswordResetPage,
        }),
      },
      // A screen to look at: neither menu nor top bar.
      {
        path: 'dashboard/wall',
        loader: requireSession,
        lazy: async () => ({ Component: (await import('../features/wall/wall-pages.tsx')).AccountWall }),
      },
      {
        path: 'wall',
        lazy: async () => ({ Component: (await import('../features/wall/wall-pages.tsx')).TokenWall }),
      },
      {
        id: 'shell',
        lazy: async () => {
          const { Shell, ShellError } = await import('./shell/shell.tsx')
          return { Component: Shell, ErrorBoundary: ShellError }
        },
        children: [
          {
            path: '404',
            handle: { title: 'Page introuvable' },
            loader: async () => {
              await session.start()
              return null
            },
            lazy: async () => ({ Component: (await import('./not-found-page.tsx')).NotFoundPage }),
          },
          {
            id: 'guarded',
            loader: requireSession,
            shouldRevalidate: always,
            children: [...SECTIONS.keys()].map(placeOf),
          },
        ],
      },
      { path: '*', loader: () => redirect('/login') },
    ],
  },
]

export const createRouter = () => {
  const router = createBrowserRouter(routes, {
    async patchRoutesOnNavigation({ path, patch }) {
      const name = path.split('/')[1] ?? ''
      const section = SECTIONS.get(name)
      if (section === undefined || loaded.has(name)) return
      try {
        const modules = await Promise.all(section.map(load => load()))
        failures.delete(name)
        if (loaded.has(name)) return
        loaded.add(name)
        patch(
          'guarded',
          modules.flatMap(module => module.routes),
        )
      } catch (error) {
        // Thrown here it would take the whole console away; the section's place throws it inside the shell.
        failures.set(name, error)
      }
    },
  })
  followSession(router)
  return router
}

/**
 * A session that ends, here or in another tab, leads to the sign-in page; one that begins leads out of it. An account
 * that is known at last may belong on another page.
 */
const followSession = (router: ReturnType<typeof createBrowserRouter>): void => {
  let before = session.state()
  session.subscribe(() => {
    const now = session.state()
    const { phase } = before
    const known = before.user === null && now.user !== null
    before = now
    if (phase === 'starting' || (phase === now.phase && !known)) return
    if (now.phase === 'signedOut') {
      keepReturn(router.state.location)
      void router.navigate('/login')
    } else void router.revalidate()
  })
}
