import * as z from 'zod/mini'
import { currentAdmin, EMAIL_MAX, PASSWORD_MAX } from '#src/auth/current-admin.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment, text } from '#src/wire/text.ts'

/** The answer to every refused sign-in, for any reason. */
export const SIGN_IN_REFUSED = 'Invalid email or password'

const tags = ['Sign-in']

/** Signs a super administrator in. 401 with `SIGN_IN_REFUSED`; 429 with `Retry-After` after too many failures. */
export const login = endpoint('POST', '/api/v1/admin/auth/login', {
  config: { public: true },
  operationId: 'auth.login',
  summary: 'Sign in',
  tags,
  body: z.strictObject({ email: text(EMAIL_MAX), password: text(PASSWORD_MAX) }),
  response: {
    200: z.object({
      access_token: z.string(),
      token_type: z.literal('bearer'),
      expires_at: moment,
      admin: currentAdmin,
    }),
  },
})

/**
 * The signed-in super admin. 401 after the end of the session. For a machine token: the account of its maker, with the role
 * of the token.
 */
export const me = endpoint('GET', '/api/v1/admin/auth/me', {
  config: { capability: 'own_account', token: true },
  operationId: 'auth.me',
  summary: 'The signed-in admin',
  tags,
  response: { 200: currentAdmin },
})

/** Ends the session on the server. */
export const logout = endpoint('POST', '/api/v1/admin/auth/logout', {
  config: { capability: 'own_account', limit: 'none' },
  operationId: 'auth.logout',
  summary: 'Sign out',
  tags,
  response: { 204: z.null() },
})
