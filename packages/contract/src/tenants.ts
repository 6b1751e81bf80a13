import * as z from 'zod/mini'
import { aggressiveness } from '#src/tenants/aggressiveness.ts'
import { bulkAnswer, bulkBody, selectedIds } from '#src/wire/bulk.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorBody, errorResponses } from '#src/wire/errors.ts'
import { CSV_TYPE, csvFile } from '#src/wire/exports.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { createdFilters, listQuery } from '#src/wire/lists.ts'
import { subdomain } from '#src/tenants/subdomain.ts'
import { moment, requiredText, text } from '#src/wire/text.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'

export const TENANT_TYPES = ['product', 'service'] as const
export const tenantType = z.enum(TENANT_TYPES)
export type TenantType = z.infer<typeof tenantType>

export const TENANT_NAME_MAX = 120
export const GOAL_MAX = 2_000
const tenantName = requiredText(TENANT_NAME_MAX, 'Tenant name is required')

/**
 * A client organisation. The database keeps the counts; `version` grows with every saved change.
 * @example {"id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","name":"Example Bakery","subdomain":"example-bakery","status":"active","tenant_type":"product","goal":"","aggressiveness":5,"admin_count":2,"api_key_count":1,"active_api_key_count":1,"task_count":0,"version":1,"created_at":"2026-11-20T12:00:00.000Z"}
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
  api_key_count: z.int(),
  active_api_key_count: z.int(),
  task_count: z.int(),
  version: z.int(),
  created_at: moment,
})
export type Tenant = z.infer<typeof tenant>

/** Columns that the list can be sorted by; a leading `-` means descending. */
export const TENANT_SORTS = [
  'name',
  '-name',
  'subdomain',
  '-subdomain',
  'created_at',
  '-created_at',
  'admin_count',
  '-admin_count',
] as const
export type TenantSort = (typeof TENANT_SORTS)[number]
/** Default sort order: newest first. */
export const TENANT_SORT_DEFAULT = '-created_at' satisfies TenantSort

/**
 * What the list can be narrowed to because somebody should look at it; how each is meant, `attention` of analytics
 * says.
 */
export const TENANT_ATTENTION = ['no_active_admin', 'keys_expiring', 'keys_refused'] as const
export const tenantAttention = z.enum(TENANT_ATTENTION)
export type TenantAttention = z.infer<typeof tenantAttention>

export const tenantListQuery = listQuery(TENANT_SORTS, {
  id: z.optional(z.uuid()),
  status: z.optional(tenantStatus),
  tenant_type: z.optional(tenantType),
  attention: z.optional(tenantAttention),
  ...createdFilters,
})
export type TenantListQuery = z.infer<typeof tenantListQuery>
/** The list's query without its page. */
const allTenantsQuery = z.omit(tenantListQuery, { limit: true, cursor: true })

/**
 * Name, subdomain and type of a new tenant.
 * @example {"name":"Example Bakery","subdomain":"example-bakery","tenant_type":"product"}
 */
export const createTenantBody = z.strictObject({ name: tenantName, subdomain, tenant_type: tenantType })
export type CreateTenantBody = z.infer<typeof createTenantBody>

/**
 * Fields of a tenant to change; fields left out stay as they are.
 * @example {"status":"inactive","goal":"book a table","aggressiveness":5.5}
 */
export const updateTenantBody = z.partial(
  z.strictObject({
    name: tenantName,
    status: tenantStatus,
    tenant_type: tenantType,
    goal: text(GOAL_MAX),
    aggressiveness,
  }),
)
export type UpdateTenantBody = z.infer<typeof updateTenantBody>

/** The answer to a stale `If-Match`: the current tenant, its last editor and the time of the edit. */
export const staleTenant = z.extend(errorBody, {
  current: tenant,
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(moment),
})
export type StaleTenant = z.infer<typeof staleTenant>

/** What can be done with many at once. */
export const TENANT_BULK_ACTIONS = ['activate', 'deactivate', 'delete'] as const
export type TenantBulkAction = (typeof TENANT_BULK_ACTIONS)[number]

const url = '/api/v1/admin/tenants'
const tags = ['Tenants']
const params = z.strictObject({ id: z.uuid() })

/** Tenants, newest first. Searches name and subdomain. */
export const listTenants = {
  method: 'GET',
  url,
  config: { limit: 'whole_list' },
  schema: {
    operationId: 'tenants.list',
    summary: 'List tenants',
    tags,
    querystring: tenantListQuery,
    response: { 200: z.array(tenant), ...errorResponses },
  },
} as const satisfies Endpoint

/** All that match, as CSV. A POST because the audit log keeps who took what. */
export const exportTenants = {
  method: 'POST',
  url: `${url}/export`,
  config: { limit: 'export' },
  schema: {
    operationId: 'tenants.export',
    summary: 'Export tenants as CSV',
    tags,
    produces: [CSV_TYPE],
    querystring: allTenantsQuery,
    response: { 200: csvFile, ...errorResponses },
  },
} as const satisfies Endpoint

/** The ids of all that match, to act on them. 409 when there are more than `BULK_MAX`. */
export const selectTenants = {
  method: 'GET',
  url: `${url}/ids`,
  config: { limit: 'selection' },
  schema: {
    operationId: 'tenants.select',
    summary: 'Select tenants',
    tags,
    querystring: allTenantsQuery,
    response: { 200: selectedIds, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * Does the same with many, each as the call for one does it: in a transaction of its own, audited, refused for the
 * same reasons. What it should be already, or gone already, counts as done, so that a call may be repeated. With a
 * query, a row that does not match it any more is refused.
 */
export const bulkTenants = {
  method: 'POST',
  url: `${url}/bulk`,
  schema: {
    operationId: 'tenants.bulk',
    summary: 'Change many tenants',
    tags,
    querystring: allTenantsQuery,
    body: bulkBody(TENANT_BULK_ACTIONS),
    response: { 200: bulkAnswer, ...errorResponses },
  },
} as const satisfies Endpoint

/** 409 when the subdomain is taken. */
export const createTenant = {
  method: 'POST',
  url,
  schema: {
    operationId: 'tenants.create',
    summary: 'Create a tenant',
    tags,
    body: createTenantBody,
    response: { 201: tenant, ...errorResponses },
  },
} as const satisfies Endpoint

/** Changes the fields in the body. A stale `If-Match: "version"` gets 412 with `staleTenant`. */
export const updateTenant = {
  method: 'PUT',
  url: `${url}/:id`,
  schema: {
    operationId: 'tenants.update',
    summary: 'Change a tenant',
    tags,
    params,
    headers: ifMatchHeaders,
    body: updateTenantBody,
    response: { 200: tenant, 412: staleTenant, ...errorResponses },
  },
} as const satisfies Endpoint

/** Deletes the tenant with its users, keys, tasks and reviews. */
export const deleteTenant = {
  method: 'DELETE',
  url: `${url}/:id`,
  schema: {
    operationId: 'tenants.delete',
    summary: 'Delete a tenant',
    tags,
    params,
    response: { 204: z.null(), ...errorResponses },
  },
} as const satisfies Endpoint
