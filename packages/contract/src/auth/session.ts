import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { currentAdmin } from './current-admin.ts'

// Separate from the calls of a sign-in, because every screen of the console loads these two.

const tags = ['Sign-in']

/**
 * The signed-in member. 401 after the end of the session. For a service token: the account of its maker. Its role is
 * `support` for a token with a scope that writes, and otherwise `auditor`.
 */
export const me = endpoint('GET', '/api/v1/admin/auth/me', {
  config: { capability: 'own_account', unenrolled: true, token: true },
  operationId: 'auth.me',
  summary: 'The signed-in admin',
  tags,
  response: { 200: currentAdmin },
})

/** Ends the session on the server. */
export const logout = endpoint('POST', '/api/v1/admin/auth/logout', {
  config: { capability: 'own_account', limit: 'none', unenrolled: true },
  operationId: 'auth.logout',
  summary: 'Sign out',
  tags,
  response: { 204: z.null() },
})
