import * as z from 'zod/mini'
import { currentAdmin, EMAIL_MAX, PASSWORD_MAX } from '#src/auth/current-admin.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorResponses } from '#src/wire/errors.ts'
import { moment, text } from '#src/wire/text.ts'

/** The answer to every refused sign-in, for any reason. */
export const SIGN_IN_REFUSED = 'Invalid email or password'

const tags = ['Sign-in']

/** Signs a super administrator in. 401 with `SIGN_IN_REFUSED`; 429 with `Retry-After` after too many failures. */
export const login = {
  method: 'POST',
  url: '/api/v1/admin/auth/login',
  config: { public: true },
  schema: {
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
      ...errorResponses,
    },
  },
} as const satisfies Endpoint

/** The signed-in super admin. 401 after the end of the session. */
export const me = {
  method: 'GET',
  url: '/api/v1/admin/auth/me',
  schema: {
    operationId: 'auth.me',
    summary: 'The signed-in admin',
    tags,
    response: { 200: currentAdmin, ...errorResponses },
  },
} as const satisfies Endpoint

/** Ends the session on the server. */
export const logout = {
  method: 'POST',
  url: '/api/v1/admin/auth/logout',
  config: { limit: 'none' },
  schema: {
    operationId: 'auth.logout',
    summary: 'Sign out',
    tags,
    response: { 204: z.null(), ...errorResponses },
  },
} as const satisfies Endpoint
