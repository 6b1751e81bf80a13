import { type ConsoleRole, consoleRole } from '@switchboard/contract/auth/current-admin'
import type { OidcRoles } from '@switchboard/server/settings/oidc'
import { z } from 'zod'

/** Text of a claim that PostgreSQL can store. */
const claimText = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !text.includes('\0') && text.isWellFormed())

/** Claims of an ID token, completed from userinfo. An address that is not text counts as absent. */
export const idClaims = z.looseObject({
  iss: claimText,
  sub: claimText,
  sid: claimText.optional(),
  email: claimText.optional().catch(undefined),
  /** Some identity providers send text. */
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional()
    .catch(undefined),
})
export type Claims = z.infer<typeof idClaims>

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Claims of a logout token. A `nonce` is forbidden, so that an ID token is never accepted as a logout token. */
export const logoutClaims = z
  .looseObject({
    iss: claimText,
    jti: claimText,
    iat: z.number(),
    sub: claimText.optional(),
    sid: claimText.optional(),
    events: z.looseObject({ [LOGOUT_EVENT]: z.looseObject({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'sub or sid is missing')
export type LogoutClaims = z.infer<typeof logoutClaims>

/** The role with the most permissions among the values of the claim; `null` without a mapped value. */
export function roleOf(claims: Claims, { claim, roles }: OidcRoles): ConsoleRole | null {
  const values = [claims[claim]].flat()
  const mapped = new Set(values.map((value) => (typeof value === 'string' ? roles.get(value) : undefined)))
  return consoleRole.options.find((role) => mapped.has(role)) ?? null
}
