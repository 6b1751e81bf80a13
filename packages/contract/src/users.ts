import * as z from 'zod/mini'
import { email, role } from '#src/auth/current-admin.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { describeBulk, describeList } from '#src/wire/list-endpoints.ts'
import { createdFilters, searchTerm } from '#src/wire/lists.ts'
import { newPassword } from '#src/auth/passwords.ts'
import { moment } from '#src/wire/text.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'

/** The roles inside a tenant. Super admins are created on the server's machine. */
export const tenantRole = z.enum(['admin', 'manager', 'user'])
export type TenantRole = z.infer<typeof tenantRole>
/** Default role in the form. */
export const TENANT_ROLE_DEFAULT = 'admin' satisfies TenantRole

/** A user of a tenant, or a super admin if `tenant_id` is null. */
export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  tenant_id: z.nullable(z.uuid()),
  tenant_name: z.nullable(z.string()),
  tenant_status: z.nullable(tenantStatus),
  is_active: z.boolean(),
  created_at: moment,
})
export type User = z.infer<typeof user>

/** A user after a change of `is_active`, and the number of live sessions that a deactivation ended. */
const toggledUser = z.extend(user, { ended_session_count: z.int() })
export type ToggledUser = z.infer<typeof toggledUser>

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

const url = '/api/v1/admin/tenant-admins'
const tags = ['Users']
const params = z.strictObject({ id: z.uuid() })
const noun = { name: 'users', plural: 'users', file: 'users', url, tag: 'Users' } as const

const list = describeList(noun, {
  description: 'Users of tenants and super admins, newest first. Searches email addresses.',
  row: user,
  sorts: ['email', '-email', 'created_at', '-created_at'],
  defaultSort: '-created_at',
  filters: {
    q: searchTerm,
    role: z.optional(role),
    tenant_id: z.optional(z.uuid()),
    is_active: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((word) => word === 'true'),
      ),
    ),
    never_signed_in: z.optional(z.literal('true')),
    ...createdFilters,
  },
  columns: ['id', 'email', 'role', 'tenant_id', 'tenant_name', 'tenant_status', 'is_active', 'created_at'],
})
/** The list of users. */
export const userList = {
  ...list,
  ...describeBulk(noun, {
    filters: list.filters,
    actions: ['activate', 'deactivate', 'delete'],
  }),
}
export type UserListQuery = z.infer<typeof userList.list.schema.querystring>

/** 404 when there is no such tenant, 409 when the address is taken, 422 when the password is easy to guess. */
export const createUser = endpoint('POST', url, {
  operationId: 'users.create',
  summary: 'Create a user of a tenant',
  tags,
  body: createUserBody,
  response: { 201: user },
})

/**
 * Activates or deactivates a user. Deactivation ends the user's sessions. 409 for the caller's own account and for the last
 * active super admin.
 */
export const toggleUser = endpoint('PATCH', `${url}/:id/toggle`, {
  operationId: 'users.toggle',
  summary: 'Activate or deactivate a user',
  tags,
  params,
  body: z.strictObject({ is_active: z.boolean() }),
  response: { 200: toggledUser },
})

/** 409 for the caller's own account and for the last active super admin. */
export const deleteUser = endpoint('DELETE', `${url}/:id`, {
  operationId: 'users.delete',
  summary: 'Delete a user',
  tags,
  params,
  response: { 204: z.null() },
})
