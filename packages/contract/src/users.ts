import * as z from 'zod/mini'
import { email, role } from '#src/auth/current-admin.ts'
import { bulkAnswer, bulkBody, selectedIds } from '#src/wire/bulk.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorResponses } from '#src/wire/errors.ts'
import { CSV_TYPE, csvFile } from '#src/wire/exports.ts'
import { createdFilters, listQuery } from '#src/wire/lists.ts'
import { newPassword } from '#src/auth/passwords.ts'
import { moment } from '#src/wire/text.ts'

/** The roles inside a tenant, and the default role of a form. Super admins are made on the server's machine. */
export const TENANT_ROLES = ['admin', 'manager', 'user'] as const
export const tenantRole = z.enum(TENANT_ROLES)
export type TenantRole = z.infer<typeof tenantRole>
export const TENANT_ROLE_DEFAULT = 'admin' satisfies TenantRole

/** A user of a tenant, or a super admin if `tenant_id` is null. */
export const admin = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  tenant_id: z.nullable(z.uuid()),
  tenant_name: z.nullable(z.string()),
  is_active: z.boolean(),
  created_at: moment,
})
export type User = z.infer<typeof admin>

/** Columns that the list can be sorted by; a leading `-` means descending. */
export const USER_SORTS = ['email', '-email', 'created_at', '-created_at'] as const
export type UserSort = (typeof USER_SORTS)[number]
/** Default sort order: newest first. */
export const USER_SORT_DEFAULT = '-created_at' satisfies UserSort

export const userListQuery = listQuery(USER_SORTS, {
  role: z.optional(role),
  tenant_id: z.optional(z.uuid()),
  is_active: z.optional(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((word) => word === 'true'),
    ),
  ),
  ...createdFilters,
})
export type UserListQuery = z.infer<typeof userListQuery>
/** The list's query without its page. */
const allUsersQuery = z.omit(userListQuery, { limit: true, cursor: true })

/**
 * A new user of a tenant.
 * @example {"email":"jo@example.com","password":"four unrelated plain words","role":"manager","tenant_id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d"}
 */
export const createUserBody = z.strictObject({
  email,
  password: newPassword,
  role: tenantRole,
  tenant_id: z.uuid(),
})
export type CreateUserBody = z.infer<typeof createUserBody>

/** What can be done with many at once. */
export const USER_BULK_ACTIONS = ['activate', 'deactivate', 'delete'] as const
export type UserBulkAction = (typeof USER_BULK_ACTIONS)[number]

const url = '/api/v1/admin/tenant-admins'
const tags = ['Users']
const params = z.strictObject({ id: z.uuid() })

/** All users, super admins included. `q` searches e-mail addresses. */
export const listUsers = {
  method: 'GET',
  url,
  config: { limit: 'whole_list' },
  schema: {
    operationId: 'users.list',
    summary: 'List users',
    tags,
    querystring: userListQuery,
    response: { 200: z.array(admin), ...errorResponses },
  },
} as const satisfies Endpoint

/** All that match, as CSV. A POST because the audit log keeps who took what. */
export const exportUsers = {
  method: 'POST',
  url: `${url}/export`,
  config: { limit: 'export' },
  schema: {
    operationId: 'users.export',
    summary: 'Export users as CSV',
    tags,
    produces: [CSV_TYPE],
    querystring: allUsersQuery,
    response: { 200: csvFile, ...errorResponses },
  },
} as const satisfies Endpoint

/** The ids of all that match, to act on them. 409 when there are more than `BULK_MAX`. */
export const selectUsers = {
  method: 'GET',
  url: `${url}/ids`,
  config: { limit: 'selection' },
  schema: {
    operationId: 'users.select',
    summary: 'Select users',
    tags,
    querystring: allUsersQuery,
    response: { 200: selectedIds, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * Does the same with many, each as the call for one does it: in a transaction of its own, audited, refused for the
 * same reasons. What it should be already, or gone already, counts as done, so that a call may be repeated. With a
 * query, a row that does not match it any more is refused.
 */
export const bulkUsers = {
  method: 'POST',
  url: `${url}/bulk`,
  schema: {
    operationId: 'users.bulk',
    summary: 'Change many users',
    tags,
    querystring: allUsersQuery,
    body: bulkBody(USER_BULK_ACTIONS),
    response: { 200: bulkAnswer, ...errorResponses },
  },
} as const satisfies Endpoint

/** 404 when there is no such tenant, 409 when the address is taken, 422 when the password is easy to guess. */
export const createUser = {
  method: 'POST',
  url,
  schema: {
    operationId: 'users.create',
    summary: 'Create a user of a tenant',
    tags,
    body: createUserBody,
    response: { 201: admin, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * Activates or deactivates a user. Deactivation ends the user's sessions. 409 for the own account and for the last
 * active super admin.
 */
export const toggleUser = {
  method: 'PATCH',
  url: `${url}/:id/toggle`,
  schema: {
    operationId: 'users.toggle',
    summary: 'Activate or deactivate a user',
    tags,
    params,
    body: z.strictObject({ is_active: z.boolean() }),
    response: { 200: admin, ...errorResponses },
  },
} as const satisfies Endpoint

/** 409 for the own account and for the last active super admin. */
export const deleteUser = {
  method: 'DELETE',
  url: `${url}/:id`,
  schema: {
    operationId: 'users.delete',
    summary: 'Delete a user',
    tags,
    params,
    response: { 204: z.null(), ...errorResponses },
  },
} as const satisfies Endpoint
