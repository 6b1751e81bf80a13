import * as z from 'zod/mini'
import { aggressiveness } from '#src/tenants/aggressiveness.ts'
import { BULK_CALL_MAX } from '#src/wire/bulk.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody, lastEdit } from '#src/wire/errors.ts'
import { EXTERNAL_ID_MAX, externalId } from '#src/wire/external-id.ts'
import { deletedFilter } from '#src/wire/deletions.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { describeBulk, describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { anyOf, createdFilters, searchTerm, UPDATED_SORTS, updatedFilter } from '#src/wire/lists.ts'
import { customFields } from '#src/tenants/custom-fields.ts'
import { subdomain } from '#src/tenants/subdomain.ts'
import { tag, tags as tagList } from '#src/tenants/tags.ts'
import { anyText, moment, requiredText, text } from '#src/wire/text.ts'
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
 * @example {"id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","name":"Example Bakery","subdomain":"example-bakery","status":"active","tenant_type":"product","goal":"","aggressiveness":5,"admin_count":2,"api_key_count":2,"test_api_key_count":1,"working_api_key_count":2,"task_count":0,"tags":["pilot"],"custom_fields":{"plan":"Gold"},"external_id":"cus_NffrFeUfNV2Hib","version":1,"created_at":"2026-11-20T12:00:00.000Z","updated_at":"2026-11-20T12:00:00.000Z","suspension_reason":null,"suspended_at":null,"suspended_until":null,"deleted_at":null}
 */
export const tenant = z.object({
  /** Id of the tenant. */
  id: z.uuid(),
  /** Name of the tenant. */
  name: z.string(),
  /** Subdomain of the platform's domain that belongs to the tenant. No other tenant has it. */
  subdomain: z.string(),
  /** Status of the tenant. The keys of an inactive tenant are refused, and its tasks are skipped. */
  status: tenantStatus,
  /** Business type of the tenant. */
  tenant_type: tenantType,
  /** What the tenant's assistants work toward. Prompts have it as `goal`. */
  goal: z.string(),
  /** How hard the assistants pursue the goal: 0 to 10, in steps of 0.1. */
  aggressiveness: z.number(),
  /** Number of the tenant's users, of any role. */
  admin_count: z.int(),
  /** Number of the tenant's keys of both environments. */
  api_key_count: z.int(),
  /** Number of test keys among them. */
  test_api_key_count: z.int(),
  /** Number of keys of both environments whose calls are accepted while the tenant is active: working, expiring or in grace. */
  working_api_key_count: z.int(),
  /** Number of the tenant's tasks. */
  task_count: z.int(),
  /** Tags that group tenants. */
  tags: z.array(z.string()),
  /** Values of your choice by name. Prompts have them as variables. */
  custom_fields: z.record(z.string(), z.string()),
  /** The id of the tenant in another system, such as a billing system. Unique among the tenants that are not deleted. */
  external_id: z.nullable(z.string()),
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
  /** When the tenant was created. */
  created_at: moment,
  /** When `version` last grew, or when the tenant was restored or deleted. */
  updated_at: moment,
  /** Why the tenant is inactive. Null for an active tenant, or without a reason. */
  suspension_reason: z.nullable(z.string()),
  /** Since when the tenant is inactive. Null for an active tenant, or when unknown. */
  suspended_at: z.nullable(moment),
  /** When the suspension ends: a worker reactivates the tenant at most a minute later. Null: no end. */
  suspended_until: z.nullable(moment),
  /** When the tenant was deleted. Deleted tenants are in lists with `deleted=true` only. */
  deleted_at: z.nullable(moment),
})
export type Tenant = z.infer<typeof tenant>
/** The part of a suspension that an admin chooses. */
export type Suspension = Pick<Tenant, 'suspension_reason' | 'suspended_until'>

/** Values of the attention filter: the kinds of tenants on the attention panel of the dashboard. */
export const tenantAttention = z.enum([
  'no_active_admin',
  'keys_reported',
  'keys_expiring',
  'keys_refused',
  'reviews_low',
])
export type TenantAttention = z.infer<typeof tenantAttention>

/**
/**
 * Fields of a tenant to change; fields left out stay as they are. Only an inactive tenant can have a reason and a future end
 * of its suspension. A reactivation clears both.
 * @example {"status":"inactive","suspension_reason":"Unpaid invoice","suspended_until":"2030-11-30T12:00:00.000Z"}
 */
export const updateTenantBody = z.partial(
  z.strictObject({
    /** New name of the tenant. */
    name: tenantName,
    /** New status of the tenant. */
    status: tenantStatus,
    /** New type of the tenant. */
    tenant_type: tenantType,
    /** New goal of the tenant's assistants. */
    goal: anyText(GOAL_MAX),
    /** New aggressiveness: 0 to 10, in steps of 0.1. */
    aggressiveness,
    /** Why the tenant is suspended. Null: no reason. */
    suspension_reason: z.nullable(requiredText(SUSPENSION_REASON_MAX, 'A reason has at least one character.')),
    /** End of the suspension, in the future. Null: no end. */
    suspended_until: z.nullable(moment),
    /** Replace all tags. */
    tags: tagList,
    /** Replace all custom fields. */
    custom_fields: customFields,
    /** Id of the tenant in another system. No other tenant may have it. Null: none. */
    external_id: z.nullable(externalId),
  }),
)
export type UpdateTenantBody = z.infer<typeof updateTenantBody>

/**
 * Name, subdomain and type of a new tenant, with any field that a change may have. A new tenant is active unless `status` says
 * otherwise.
 * @example {"name":"Example Bakery","subdomain":"example-bakery","tenant_type":"product","external_id":"cus_NffrFeUfNV2Hib","tags":["pilot"]}
 */
export const createTenantBody = z.extend(updateTenantBody, {
  /** Name of the tenant. */
  name: tenantName,
  /** Subdomain of the tenant, in lower case. No other tenant may have it. */
  subdomain,
  /** Business type of the tenant. */
  tenant_type: tenantType,
})
export type CreateTenantBody = z.infer<typeof createTenantBody>

/** The answer to a stale `If-Match`: the current tenant, its last editor and the time of the edit. */
export const staleTenant = z.extend(errorBody, {
  /** The record as it is now. */
  current: tenant,
  ...lastEdit,
})

/** Records that begin or cease to work when the status of tenants changes. */
export const statusEffects = z.object({
  /** Number of these tenants whose status would change. Only their records are counted. */
  tenant_count: z.int(),
  /** Number of keys that are accepted while their tenant is active. */
  api_key_count: z.int(),
  /** Number of these keys that were accepted in the last hour. */
  used_api_key_count: z.int(),
  /** Number of tasks that are not paused. */
  task_count: z.int(),
})
export type StatusEffects = z.infer<typeof statusEffects>

const url = '/api/v1/admin/tenants'
const tags = ['Tenants']
const params = z.strictObject({
  /** Id of the tenant. */
  id: z.uuid(),
})
const noun = { name: 'tenants', plural: 'tenants', url, tag: 'Tenants' } as const

const list = describeList(noun, {
  description: 'Tenants, newest first. Searches name, subdomain and external id.',
  row: tenant,
  sorts: [
    'name',
    '-name',
    'subdomain',
    '-subdomain',
    'created_at',
    '-created_at',
    'admin_count',
    '-admin_count',
    ...UPDATED_SORTS,
  ],
  defaultSort: '-created_at',
  filters: {
    q: searchTerm,
    /** Only the tenant with this id. */
    id: z.optional(z.uuid()),
    /** Only the tenant with this id in another system. */
    external_id: z.optional(text(EXTERNAL_ID_MAX)),
    /** Only tenants with these statuses. */
    status: anyOf(tenantStatus),
    /** Only tenants of these types. */
    tenant_type: anyOf(tenantType),
    /** Only tenants of this kind of the attention panel. */
    attention: z.optional(tenantAttention),
    /** Only tenants with this tag. */
    tag: z.optional(tag),
    deleted: deletedFilter,
    ...createdFilters,
    updated_since: updatedFilter,
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
  response: {
    200: z.object({
      /** All tags, by name. */
      tags: z.array(z.string()),
    }),
  },
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

/** 409 when the subdomain or the external id is taken. */
export const createTenant = endpoint('POST', url, {
  config: { capability: 'edit' },
  operationId: 'tenants.create',
  summary: 'Create a tenant',
  tags,
  body: createTenantBody,
  response: { 201: tenant },
})

/** Changes the fields in the body. A stale `If-Match: "version"` gets 412. 409 when the external id is taken. */
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
    /** The new status. */
    status: tenantStatus,
    /** Ids of the tenants. */
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
