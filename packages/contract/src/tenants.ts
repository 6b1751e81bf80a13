import * as z from 'zod/mini'
import { aggressiveness } from '#src/tenants/aggressiveness.ts'
import { BULK_CALL_MAX } from '#src/wire/bulk.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody } from '#src/wire/errors.ts'
import { deletedFilter } from '#src/wire/deletions.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { describeBulk, describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { createdFilters, searchTerm } from '#src/wire/lists.ts'
import { customFields } from '#src/tenants/custom-fields.ts'
import { subdomain } from '#src/tenants/subdomain.ts'
import { tag, tags as tagList } from '#src/tenants/tags.ts'
import { anyText, moment, requiredText } from '#src/wire/text.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'

/** Business types of tenants: each has its own prompts. */
export const TENANT_TYPES = ['product', 'service'] as const
/** The business type of a tenant. */
export const tenantType = z.enum(TENANT_TYPES)
export type TenantType = z.infer<typeof tenantType>

/** Longest name of a tenant. */
export const TENANT_NAME_MAX = 120
/** Longest goal of a tenant. */
export const GOAL_MAX = 2_000
/** Longest reason of a suspension. */
export const SUSPENSION_REASON_MAX = 200
const tenantName = requiredText(TENANT_NAME_MAX, 'Tenant name is required')

/**
 * A client organization. The database keeps the counts; `version` grows with every saved change.
 * @example {"id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","name":"Example Bakery","subdomain":"example-bakery","status":"active","tenant_type":"product","goal":"","aggressiveness":5,"admin_count":2,"api_key_count":2,"test_api_key_count":1,"working_api_key_count":2,"task_count":0,"tags":["pilot"],"custom_fields":{"plan":"Gold"},"version":1,"created_at":"2026-11-20T12:00:00.000Z","suspension_reason":null,"suspended_at":null,"suspended_until":null,"deleted_at":null}
 */
export const tenant = z.object({
  id: z.uuid(),
  name: z.string(),
  subdomain: z.string(),
  status: tenantStatus,
  tenant_type: tenantType,
  goal: z.string(),
  aggressiveness: z.number(),
  admin_count: z.int(),
  /** Keys of both environments. */
  api_key_count: z.int(),
  test_api_key_count: z.int(),
  /** Keys of both environments with accepted calls: working, expiring or in grace. */
  working_api_key_count: z.int(),
  task_count: z.int(),
  tags: z.array(z.string()),
  custom_fields: z.record(z.string(), z.string()),
  version: z.int(),
  created_at: moment,
  /** Why the tenant is inactive. */
  suspension_reason: z.nullable(z.string()),
  /** Since when the tenant is inactive. Null for an active tenant, or when unknown. */
  suspended_at: z.nullable(moment),
  /** When a worker reactivates the tenant, at most a minute later. Until then the tenant stays inactive. */
  suspended_until: z.nullable(moment),
  /** When the tenant was deleted. Deleted tenants are in lists with `deleted=true` only. */
  deleted_at: z.nullable(moment),
})
export type Tenant = z.infer<typeof tenant>
/** The part of a suspension that an admin chooses. */
export type Suspension = Pick<Tenant, 'suspension_reason' | 'suspended_until'>

/** Values of the attention filter: the kinds of tenants on the attention panel of the dashboard. */
export const tenantAttention = z.enum(['no_active_admin', 'keys_expiring', 'keys_refused', 'reviews_low'])
export type TenantAttention = z.infer<typeof tenantAttention>

/**
 * Name, subdomain and type of a new tenant.
 * @example {"name":"Example Bakery","subdomain":"example-bakery","tenant_type":"product"}
 */
export const createTenantBody = z.strictObject({ name: tenantName, subdomain, tenant_type: tenantType })
export type CreateTenantBody = z.infer<typeof createTenantBody>

/**
 * Fields of a tenant to change; fields left out stay as they are. Only an inactive tenant can have a reason and a future end
 * of its suspension. A reactivation clears both.
 * @example {"status":"inactive","suspension_reason":"Unpaid invoice","suspended_until":"2030-11-30T12:00:00.000Z"}
 */
export const updateTenantBody = z.partial(
  z.strictObject({
    name: tenantName,
    status: tenantStatus,
    tenant_type: tenantType,
    goal: anyText(GOAL_MAX),
    aggressiveness,
    suspension_reason: z.nullable(requiredText(SUSPENSION_REASON_MAX, 'A reason has at least one character.')),
    suspended_until: z.nullable(moment),
    /** Replace all tags. */
    tags: tagList,
    /** Replace all custom fields. */
    custom_fields: customFields,
  }),
)
export type UpdateTenantBody = z.infer<typeof updateTenantBody>

/** The answer to a stale `If-Match`: the current tenant, its last editor and the time of the edit. */
export const staleTenant = z.extend(errorBody, {
  current: tenant,
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(moment),
})

/** Records that begin or cease to work when the status of tenants changes. */
export const statusEffects = z.object({
  /** Tenants with another status. Only their records are counted. */
  tenant_count: z.int(),
  /** Keys that are accepted while their tenant is active. */
  api_key_count: z.int(),
  /** Counted keys that were accepted in the last hour. */
  used_api_key_count: z.int(),
  /** Tasks that are not paused. */
  task_count: z.int(),
})
export type StatusEffects = z.infer<typeof statusEffects>

const url = '/api/v1/admin/tenants'
const tags = ['Tenants']
const params = z.strictObject({ id: z.uuid() })
const noun = { name: 'tenants', plural: 'tenants', url, tag: 'Tenants' } as const

const list = describeList(noun, {
  description: 'Tenants, newest first. Searches name and subdomain.',
  row: tenant,
  sorts: ['name', '-name', 'subdomain', '-subdomain', 'created_at', '-created_at', 'admin_count', '-admin_count'],
  defaultSort: '-created_at',
  filters: {
    q: searchTerm,
    id: z.optional(z.uuid()),
    status: z.optional(tenantStatus),
    tenant_type: z.optional(tenantType),
    attention: z.optional(tenantAttention),
    tag: z.optional(tag),
    deleted: deletedFilter,
    ...createdFilters,
  },
})
/** The list of tenants. */
export const tenantList = {
  ...list,
  ...describeExport(noun, {
    filters: list.filters,
    file: 'tenants',
    columns: z.keyof(tenant).options,
  }),
  ...describeBulk(noun, {
    filters: list.filters,
    actions: ['reactivate', 'suspend', 'delete', 'restore'],
    sensitive: ['suspend', 'delete', 'restore'],
  }),
}
export type TenantListQuery = z.infer<typeof tenantList.list.schema.querystring>

/** The tags of all tenants, by name. At most 500. */
export const listTenantTags = endpoint('GET', `${url}/tags`, {
  config: { capability: 'view' },
  operationId: 'tenants.tags',
  summary: 'List the tags of tenants',
  tags,
  response: { 200: z.object({ tags: z.array(z.string()) }) },
})

/** A tenant, with its version as `ETag`. 404 without such a tenant. */
export const getTenant = endpoint('GET', `${url}/:id`, {
  config: { capability: 'view' },
  operationId: 'tenants.get',
  summary: 'Read a tenant',
  tags,
  params,
  response: { 200: tenant },
})

/** 409 when the subdomain is taken. */
export const createTenant = endpoint('POST', url, {
  config: { capability: 'edit' },
  operationId: 'tenants.create',
  summary: 'Create a tenant',
  tags,
  body: createTenantBody,
  response: { 201: tenant },
})

/** Changes the fields in the body. A stale `If-Match: "version"` gets 412 with `staleTenant`. */
export const updateTenant = endpoint('PUT', `${url}/:id`, {
  config: { capability: 'edit' },
  operationId: 'tenants.update',
  summary: 'Change a tenant',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateTenantBody,
  response: { 200: tenant, 412: staleTenant },
})

/** Counts the records that a new status of these tenants would affect. Changes nothing. */
export const previewTenantStatus = endpoint('POST', `${url}/status-effects`, {
  config: { capability: 'view', reads: true },
  operationId: 'tenants.status_effects',
  summary: 'Preview a change of status',
  tags,
  body: z.strictObject({
    status: tenantStatus,
    ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(BULK_CALL_MAX)),
  }),
  response: { 200: statusEffects },
})

/**
 * Deletes the tenant with its users, keys, tasks and reviews: calls for them get 404, and its keys are refused within a second. Its
 * subdomain and the email addresses of its users stay taken. 30 days later the tenant is permanently deleted.
 */
export const deleteTenant = endpoint('DELETE', `${url}/:id`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'tenants.delete',
  summary: 'Delete a tenant',
  tags,
  params,
  response: { 204: z.null() },
})

/**
 * Restores a deleted tenant with all its records as they were. A tenant that is not deleted does not change. 404
 * without such a tenant, deleted or not.
 */
export const restoreTenant = endpoint('POST', `${url}/:id/restore`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'tenants.restore',
  summary: 'Restore a deleted tenant',
  tags,
  params,
  response: { 200: tenant },
})

/** Permanently deletes a deleted tenant and its records. The audit log remains. 404 without such a deleted tenant. */
export const purgeTenant = endpoint('POST', `${url}/:id/purge`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'tenants.purge',
  summary: 'Permanently delete a deleted tenant',
  tags,
  params,
  response: { 204: z.null() },
})
