import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#src/lib/lazy.tsx'
import { currentSession } from '#src/lib/session.ts'

export const root = createRootRoute()

/** The routes that need a session: all except those of `signed-out-routes.ts`. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  // While the session loads, the loaders already fetch: a stored token is rarely invalid.
  beforeLoad: ({ location }) => {
    const session = currentSession()
    if (session.kind === 'unreachable') throw session.error
    if (session.kind !== 'unauthenticated') return
    // After a sign-out, the next admin starts at the first page.
    const search = session.reason === 'signed out' ? {} : { redirect: location.href }
    throw redirect({ to: '/login', search })
  },
  pendingMs: 0,
  component: lazyPage(() => import('#src/layout/console-layout.tsx').then((code) => code.ConsoleLayout)),
})
