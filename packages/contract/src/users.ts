import * as z from 'zod/mini'
import { email, role } from '#src/auth/current-admin.ts'
import { personName } from '#src/auth/person-name.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { describeBulk, describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { errorBody, lastEdit } from '#src/wire/errors.ts'
import { deletedFilter } from '#src/wire/deletions.ts'
import { EXTERNAL_ID_MAX, externalId } from '#src/wire/external-id.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { anyOf, createdFilters, searchTerm, UPDATED_SORTS, updatedFilter } from '#src/wire/lists.ts'
import { newPassword } from '#src/auth/passwords.ts'
import { mailState } from '#src/mail.ts'
import { moment, text } from '#src/wire/text.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'

/** The roles inside a tenant. */
export const tenantRole = z.enum(['admin', 'manager', 'user'])
export type TenantRole = z.infer<typeof tenantRole>
/** Default role in the form. */
export const TENANT_ROLE_DEFAULT = 'admin' satisfies TenantRole

/** A pending invitation of a user to the portal of the tenant. */
export const userInvitation = z.object({
  /** When the invitation was last sent. */
  created_at: moment,
  /** Until when the link works. */
  expires_at: moment,
  /** State of the mail with the link. Null if the server sends no mail: the link was then in the answer. */
  mail_state: z.nullable(mailState),
  /** Reason of the last failed attempt to send the mail. */
  mail_problem: z.nullable(z.string()),
})
export type UserInvitation = z.infer<typeof userInvitation>

/** A user of a tenant, or a person who runs the console if `tenant_id` is null. */
export const user = z.object({
  /** Id of the user. */
  id: z.uuid(),
  /** Email address of the user. No other user has it. */
  email: z.string(),
  /** The name of the person, if known. */
  name: z.nullable(z.string()),
  /** The id of the user in another system, such as a billing system. Unique among the users that are not deleted. */
  external_id: z.nullable(z.string()),
  /** Role of the user in the tenant, or in the console. */
  role,
  /** Id of the tenant. Null for a person who runs the console. */
  tenant_id: z.nullable(z.uuid()),
  /** Name of the tenant. */
  tenant_name: z.nullable(z.string()),
  /** Status of the tenant. Null for a person who runs the console. */
  tenant_status: z.nullable(tenantStatus),
  /** Whether the user may sign in. */
  is_active: z.boolean(),
  /** When the user was created. */
  created_at: moment,
  /** When `version` last grew, or when the user was restored or deleted. */
  updated_at: moment,
  /** The last sign-in, to the console or to the tenant's portal. Null before the first. */
  last_sign_in_at: z.nullable(moment),
  /** Whether an admin has set the password. The user has to choose another one at the next sign-in. */
  must_change_password: z.boolean(),
  /** Whether the user has a password. Without one, a user of a tenant cannot sign in. */
  has_password: z.boolean(),
  /** The invitation that the user has not accepted, for 30 days after its end too. Null without one. */
  invitation: z.nullable(userInvitation),
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
  /** When the user was deleted. Deleted users are in lists with `deleted=true` only. */
  deleted_at: z.nullable(moment),
})
export type User = z.infer<typeof user>

/** A user after a change of `is_active`, and the number of live sessions that a deactivation ended. */
const toggledUser = z.extend(user, {
  /** Number of live sessions that a deactivation ended. */
  ended_session_count: z.int(),
})
export type ToggledUser = z.infer<typeof toggledUser>

/**
 * A user after a change. `pending_email` is a new address of a console account that takes effect when its link is
 * opened.
 */
const updatedUser = z.extend(user, {
  /** New address that takes effect when its link is opened. */
  pending_email: z.optional(z.string()),
})
export type UpdatedUser = z.infer<typeof updatedUser>

/** A user after an invitation. */
const invitedUser = z.extend(user, {
  /** Link to pass on to the user, which only this answer has. Null if the worker sends it by mail. */
  invitation_link: z.nullable(z.string()),
})
export type InvitedUser = z.infer<typeof invitedUser>

/** A new user. `invitation_link` is missing without an invitation. */
const createdUser = z.extend(user, { invitation_link: z.optional(invitedUser.shape.invitation_link) })
export type CreatedUser = z.infer<typeof createdUser>

/**
 * A new user of a tenant, with either a password or an invitation.
 * @example {"email":"jo@example.com","password":"four unrelated plain words","role":"manager","tenant_id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d"}
 */
export const createUserBody = z
  .strictObject({
    /** Email address of the user. No other user has it. */
    email,
    /** Name of the user, if known. */
    name: z.optional(personName),
    /** Id of the user in another system. No other user may have it. */
    external_id: z.optional(z.nullable(externalId)),
    /** First password of the user. */
    password: z.optional(newPassword),
    /** Whether the user gets a link, by which they choose their first password. */
    send_invitation: z.optional(z.boolean()),
    /** Role of the user in the tenant. */
    role: tenantRole,
    /** Id of the tenant. */
    tenant_id: z.uuid(),
  })
  .check(
    z.refine(({ password, send_invitation }) => (password === undefined) === (send_invitation === true), {
      error: 'Send either a password or an invitation.',
      path: ['password'],
    }),
  )
export type CreateUserBody = z.infer<typeof createUserBody>

/**
 * Fields of a user to change; fields left out stay as they are. A person who runs the console keeps the
 * role and belongs to no tenant.
 * @example {"role":"manager","is_active":true}
 */
export const updateUserBody = z.partial(
  z.strictObject({
    /** New email address of the user. */
    email,
    /** New name of the user. Null removes it. */
    name: personName,
    /** Id of the user in another system. No other user may have it. Null: none. */
    external_id: z.nullable(externalId),
    /** New role of the user in the tenant. */
    role: tenantRole,
    /** Id of the new tenant. */
    tenant_id: z.uuid(),
    /** Whether the user may sign in. */
    is_active: z.boolean(),
  }),
)
export type UpdateUserBody = z.infer<typeof updateUserBody>

/** The answer to a stale `If-Match`: the current user, its last editor and the time of the edit. */
export const staleUser = z.extend(errorBody, {
  /** The record as it is now. */
  current: user,
  ...lastEdit,
})

const url = '/api/v1/admin/tenant-admins'
const tags = ['Users']
const params = z.strictObject({
  /** Id of the user. */
  id: z.uuid(),
})
const noun = { name: 'users', plural: 'users', url, tag: 'Users' } as const

const list = describeList(noun, {
  description:
    'Users of tenants and members of the team, newest first. Searches names, email addresses and external ids.',
  row: user,
  /** Users who never signed in sort as if they had signed in before all others. */
  sorts: ['email', '-email', 'created_at', '-created_at', 'last_sign_in', '-last_sign_in', ...UPDATED_SORTS],
  defaultSort: '-created_at',
  filters: {
    q: searchTerm,
    /** The user with this email address, without regard to case. */
    email: z.optional(email),
    /** Only the user with this id in another system. */
    external_id: z.optional(text(EXTERNAL_ID_MAX)),
    /** Only users with these roles. */
    role: anyOf(role),
    /** Only users of this tenant. */
    tenant_id: z.optional(z.uuid()),
    /** Only active users, or only inactive ones. */
    is_active: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((word) => word === 'true'),
      ),
    ),
    /** Only users who never signed in. */
    never_signed_in: z.optional(z.literal('true')),
    deleted: deletedFilter,
    ...createdFilters,
    updated_since: updatedFilter,
  },
})
/** The list of users. */
export const userList = {
  ...list,
  ...describeExport(noun, {
    filters: list.filters,
    file: 'users',
    columns: [
      'id',
      'email',
      'name',
      'external_id',
      'role',
      'tenant_id',
      'tenant_name',
      'tenant_status',
      'is_active',
      'created_at',
      'last_sign_in_at',
      'must_change_password',
    ],
  }),
  ...describeBulk(noun, {
    filters: list.filters,
    actions: ['activate', 'deactivate', 'delete', 'restore'],
    // Any of the users may run the console.
    sensitive: ['activate', 'deactivate', 'delete', 'restore'],
  }),
}
export type UserListQuery = z.infer<typeof userList.list.schema.querystring>

/** A user, with the version as `ETag`. 404 without such a user. */
export const getUser = endpoint('GET', `${url}/:id`, {
  config: { capability: 'view' },
  operationId: 'users.get',
  summary: 'Get a user',
  tags,
  params,
  response: { 200: user },
})

/**
 * Creates a user with a first password, or with `send_invitation`: a link with which the user chooses it at the portal of the
 * tenant. The worker sends the link by mail; without a mail server, only the answer has it. 404 when there is no such tenant, 409
 * when the address or the external id is taken, 422 when the password is easy to guess.
 */
export const createUser = endpoint('POST', url, {
  config: { capability: 'edit' },
  operationId: 'users.create',
  summary: 'Create a user of a tenant',
  tags,
  body: createUserBody,
  response: { 201: createdUser },
})

/**
 * Changes the fields in the body. A deactivation or a new address ends the user's sessions. If the server sends mail,
 * the new address of a console account takes effect when its link is opened. A stale `If-Match: "version"` gets
 * 412. 404 when there is no such tenant, 409 when the address or the external id is taken, for the caller's own account, for
 * the last active super admin, and for the role or the tenant of a person who runs the console.
 */
export const updateUser = endpoint('PATCH', `${url}/:id`, {
  config: { capability: 'edit', confirmed: ['console_account', 'new_address'] },
  operationId: 'users.update',
  summary: 'Change a user',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateUserBody,
  response: { 200: updatedUser, 412: staleUser },
})

/**
 * Sends a user of a tenant who has no password a new link, valid for 72 hours from now, and ends the earlier link. Without a
 * mail server, only the answer has it. 409 for a user who has a password, for an inactive user and for a person who runs the
 * console.
 */
export const inviteUser = endpoint('POST', `${url}/:id/invitation`, {
  config: { capability: 'edit', confirmed: true },
  operationId: 'users.invite',
  summary: 'Invite a user to the portal of the tenant',
  tags,
  params,
  response: { 200: invitedUser },
})

/**
 * Replaces the password of a user of a tenant, who has to choose another one at the next sign-in. Ends an
 * invitation and forgets failed sign-ins. 409 for a person who runs the console, 422 when the password is easy to guess.
 */
export const setUserPassword = endpoint('PUT', `${url}/:id/password`, {
  config: { capability: 'edit', confirmed: true },
  operationId: 'users.set_password',
  summary: 'Set the password of a user',
  tags,
  params,
  body: z.strictObject({
    /** The new password. */
    password: newPassword,
  }),
  response: { 200: user },
})

/**
 * Activates or deactivates a user. Deactivation ends the user's sessions. 409 for the caller's own account and for the last
 * active super admin.
 */
export const toggleUser = endpoint('PATCH', `${url}/:id/toggle`, {
  config: { capability: 'edit', confirmed: ['console_account'] },
  operationId: 'users.toggle',
  summary: 'Activate or deactivate a user',
  tags,
  params,
  body: z.strictObject({
    /** Whether the user may sign in. */
    is_active: z.boolean(),
  }),
  response: { 200: toggledUser },
})

/**
 * The user can be restored for 30 days. Ends the user's sessions. 409 for the caller's own account and for the last active
 * super admin.
 */
export const deleteUser = endpoint('DELETE', `${url}/:id`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'users.delete',
  summary: 'Delete a user',
  tags,
  params,
  response: { 204: z.null() },
})

/**
 * Restores a user within 30 days of the deletion. Sessions stay ended. A user who is not deleted does not change.
 * 404 without such a user, deleted or not, 409 when another user has the address now, and while the tenant is deleted.
 */
export const restoreUser = endpoint('POST', `${url}/:id/restore`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'users.restore',
  summary: 'Restore a deleted user',
  tags,
  params,
  response: { 200: user },
})
