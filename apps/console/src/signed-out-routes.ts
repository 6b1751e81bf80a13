import { createRoute, redirect } from '@tanstack/react-router'
import { safeRedirect } from '@switchboard/contract/single-sign-on/safe-redirect'
import { LoginPage } from '#src/auth/login-page.tsx'
import { completeSignOn } from '#src/auth/sign-on-result.ts'
import { lazyPage } from '#src/lib/lazy.tsx'
import { keepLinkToken, linkTokenOf } from '#src/lib/navigation/link-token.ts'
import { settledSession } from '#src/lib/session.ts'
import { searchOf } from '#src/lists/list-search.ts'
import { root } from './signed-in-route.ts'

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { redirect?: string | undefined } => searchOf('redirect')(search),
  beforeLoad: async ({ search }) => {
    await completeSignOn()
    const session = await settledSession()
    if (session.kind !== 'authenticated') return
    // Validated here, because the router passes any text of the URL.
    const href = session.isOtherAdmin ? undefined : safeRedirect(search.redirect, window.location.origin)
    throw redirect({ href: href ?? '/' })
  },
  pendingMs: 0,
  component: LoginPage,
})

const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  component: lazyPage(() =>
    import('#src/auth/password-resets/forgotten-password-page.tsx').then((code) => code.ForgottenPasswordPage),
  ),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  beforeLoad: ({ location }) => {
    if (keepLinkToken(location)) throw redirect({ to: '/reset-password', replace: true })
  },
  loader: linkTokenOf,
  component: lazyPage(() =>
    import('#src/auth/password-resets/reset-password-page.tsx').then((code) => code.ResetPasswordPage),
  ),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  beforeLoad: ({ location }) => {
    if (keepLinkToken(location)) throw redirect({ to: '/invitation', replace: true })
  },
  loader: linkTokenOf,
  component: lazyPage(() => import('#src/team/invitations/invitation-page.tsx').then((code) => code.InvitationPage)),
})

const emailChange = createRoute({
  getParentRoute: () => root,
  path: '/email-change',
  beforeLoad: ({ location }) => {
    if (keepLinkToken(location)) throw redirect({ to: '/email-change', replace: true })
  },
  loader: linkTokenOf,
  component: lazyPage(() =>
    import('#src/account/email-changes/email-change-page.tsx').then((code) => code.EmailChangePage),
  ),
})

/** The pages without a session. */
export const signedOutRoutes = [login, forgottenPassword, resetPassword, invitation, emailChange]
