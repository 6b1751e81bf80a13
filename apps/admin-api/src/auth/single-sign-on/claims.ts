import { type ConsoleRole, consoleRole } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { personName } from '@switchboard/contract/auth/person-name'
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
  /**
   * Some identity providers send a string or a number. Any other value than true means that the address is not
   * verified.
   */
  email_verified: z
    .unknown()
    .transform((value) => /^(?:true|1)$/i.test(String(value)))
    .optional(),
  /** A name that the console could not store counts as absent. */
  name: claimText
    .transform((text) => personName.safeParse(text).data)
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
  const comparable = claim === 'email' ? foldEmail : (value: string) => value
  const values = new Set(valuesOf(claims, claim).map(comparable))
  const mapped = new Set([...roles].flatMap(([value, role]) => (values.has(comparable(value)) ? [role] : [])))
  return consoleRole.options.find((role) => mapped.has(role)) ?? null
}

/** A claim by its name, or a nested claim by a path such as `realm_access.roles`. */
export function claimAt(claims: object, name: string): unknown {
  return fieldOf(claims, name) ?? name.split('.').reduce<unknown>(fieldOf, claims)
}

/** The reason why the claim has no groups, if the claims give one. Empty otherwise. */
export function overageOf(claims: Claims, claim: string): string {
  const isLeftOut = fieldOf(claims['_claim_names'], claim) !== undefined || claims['hasgroups'] !== undefined
  return isLeftOut && claimAt(claims, claim) === undefined
    ? ' Entra ID left the groups out because the person has too many. Use app roles with the claim roles instead.'
    : ''
}

/**
 * The values of the claim. Some identity providers send a list as one text with commas. Only claims of groups or roles
 * are split, because people choose their names and addresses themselves. LDAP names are not split: they have commas,
 * and equals signs that tell them from lists.
 */
function valuesOf(claims: Claims, claim: string): string[] {
  const value = claimAt(claims, claim)
  if (typeof value !== 'string') return [value].flat().filter((each) => typeof each === 'string')
  const isList = /(?:group|role)s?$/i.test(claim) && !value.includes('=')
  return isList ? [value, ...value.split(',').map((part) => part.trim())] : [value]
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
