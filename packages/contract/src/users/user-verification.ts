import * as z from 'zod/mini'
import { PASSWORD_MAX } from '#src/auth/current-admin.ts'
import { EMAIL_MAX } from '#src/auth/email-address.ts'
import { newPassword } from '#src/auth/passwords.ts'
import { linkToken } from '#src/links.ts'
import { tenantRole } from '#src/users.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { anyText } from '#src/wire/text.ts'

const visitor = {
  /** The tenant of the user. Only a service token needs it, because a key belongs to a tenant. */
  tenant_id: z.optional(z.uuid()),
  /** IP address of the person who signs in; without it, the address of the caller. */
  client_address: z.optional(z.union([z.ipv4(), z.ipv6()], { error: 'Send an IPv4 or IPv6 address.' })),
}
const credentials = {
  /** Email address of the user. */
  email: anyText(EMAIL_MAX),
  /** Password in use. */
  password: anyText(PASSWORD_MAX),
  ...visitor,
}

/**
 * Email address and password from the sign-in form of a tenant's portal.
 * @example {"email":"jo@example.com","password":"four unrelated plain words","client_address":"203.0.113.7"}
 */
export const credentialsBody = z.strictObject(credentials)

/**
 * The password in use and a new one.
 * @example {"email":"jo@example.com","password":"four unrelated plain words","new_password":"seven kettles under plum"}
 */
export const passwordChangeBody = z
  .strictObject({
    ...credentials,
    /** The new password. */
    new_password: newPassword,
  })
  .check(
    z.refine((body) => body.new_password !== body.password, {
      error: 'Choose a password other than the current one.',
      path: ['new_password'],
    }),
  )

/**
 * The token of a user's invitation, from the fragment of its link, and the first password.
 * @example {"token":"9wS0kqLrmB2nTzj1Yd4vXoUeCg7hFa3iPbE6sKtQwMx","new_password":"four unrelated plain words","client_address":"203.0.113.7"}
 */
export const invitationAnswer = z.strictObject({
  token: linkToken,
  /** The first password of the user. */
  new_password: newPassword,
  ...visitor,
})

/** A user of the tenant. `must_change_password`: the portal lets the user do nothing before a new password. */
const verifiedUser = z.object({
  /** The user. */
  user: z.object({
    /** Id of the user. */
    id: z.uuid(),
    /** Email address of the user. */
    email: z.string(),
    /** Name of the user, if known. */
    name: z.nullable(z.string()),
    role: tenantRole,
    /** Whether the user has to choose another password before anything else. */
    must_change_password: z.boolean(),
  }),
})
export type VerifiedUser = z.infer<typeof verifiedUser>

const tags = ['Users']

/**
 * Verifies the email address and the password of a user of a tenant, for a sign-in to the tenant's portal. Needs an API key
 * of that tenant (`Authorization: Bearer` or `X-Api-Key`), or a service token with the scope `users:verify` and
 * `tenant_id`. 401 with `SIGN_IN_REFUSED` for every refused user,
 * whatever the reason; 429 with `Retry-After` after too many failures.
 */
export const verifyUser = endpoint('POST', '/v1/users/verify', {
  config: { public: true, apiKey: true },
  operationId: 'users.verify',
  summary: 'Verify a user of a tenant',
  tags,
  body: credentialsBody,
  response: { 200: verifiedUser },
})

/**
 * Gives a user of a tenant a new password, by the current one. Needs and refuses the same as `users.verify`; 422 for a new
 * password that is easy to guess.
 */
export const changeUserPassword = endpoint('POST', '/v1/users/password', {
  config: { public: true, apiKey: true },
  operationId: 'users.password',
  summary: 'Change the password of a user of a tenant',
  tags,
  body: passwordChangeBody,
  response: { 200: verifiedUser },
})

/**
 * Gives an invited user of a tenant the first password, once for each link, and counts as a sign-in. Needs the same credential
 * as `users.verify`. 401 with `LINK_REFUSED` for every link that cannot be used, whatever the reason; 422 for a password that is
 * easy to guess, after which the link stays valid; 429 with `Retry-After` after too many failures.
 */
export const acceptUserInvitation = endpoint('POST', '/v1/users/invitation', {
  config: { public: true, apiKey: true },
  operationId: 'users.accept_invitation',
  summary: 'Accept the invitation of a user of a tenant',
  tags,
  body: invitationAnswer,
  response: { 200: verifiedUser },
})
