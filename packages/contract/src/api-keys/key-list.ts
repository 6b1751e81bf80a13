import * as z from 'zod/mini'
import { API_KEYS_URL, apiKey } from '#src/api-keys.ts'
import type { TenantAttention } from '#src/tenants.ts'
import { deletedFilter } from '#src/wire/deletions.ts'
import { describeBulk, describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { anyOf, searchTerm, UPDATED_SORTS, updatedFilter } from '#src/wire/lists.ts'
import { moment } from '#src/wire/text.ts'
import { keyEnvironment } from './key-environment.ts'
import { keyStateName } from './key-state.ts'

/** UTC days with the recent calls of a key, including today. */
export const RECENT_CALL_DAYS = 7

/** The recent calls of a key by day, oldest first. */
export const recentCalls = z.array(
  z.object({
    /** Accepted calls of the day. */
    accepted: z.int(),
    /** Refused calls of the day. */
    refused: z.int(),
  }),
)
export type RecentCalls = z.infer<typeof recentCalls>

const withRecentCalls = z.extend(apiKey, {
  /** Calls of the last seven days, oldest first. */
  recent_calls: recentCalls,
})

/** A key in the list. */
export const apiKeyRow = z.extend(withRecentCalls, {
  /** With `fold`: the keys that this key has replaced, newest first. Otherwise empty. */
  old_keys: z.array(withRecentCalls),
  /** When the key was deleted. Deleted keys are in lists with `deleted=true` only. */
  deleted_at: z.nullable(moment),
})
export type ApiKeyRow = z.infer<typeof apiKeyRow>

/** Values of the attention filter of keys. */
export const keyAttention = z.enum([
  'keys_reported',
  'keys_expiring',
  'keys_refused',
] as const satisfies TenantAttention[])
export type KeyAttention = z.infer<typeof keyAttention>

/** Values of the expiry filter: within a week, within 30 days, never, or past. */
export const keyExpiry = z.enum(['week', 'month', 'never', 'past'])
export type KeyExpiry = z.infer<typeof keyExpiry>

/** Values of the origin filter: any origin is allowed, or a list of origins. */
export const keyOrigins = z.enum(['any', 'restricted'])
export type KeyOrigins = z.infer<typeof keyOrigins>

const noun = { name: 'api_keys', plural: 'API keys', url: API_KEYS_URL, tag: 'API keys' } as const

const list = describeList(noun, {
  description:
    'API keys by the names of their tenants, the keys of a tenant newest first; never a secret. Searches name, ' +
    'description, tenant, allowed origins, both ends of the secret and the end of the id.',
  row: apiKeyRow,
  sorts: [
    'name',
    '-name',
    'tenant_name',
    '-tenant_name',
    'state',
    '-state',
    'allowed_origins',
    '-allowed_origins',
    'calls',
    '-calls',
    'refused',
    '-refused',
    'last_used_at',
    '-last_used_at',
    'expires_at',
    '-expires_at',
    'created_at',
    '-created_at',
    ...UPDATED_SORTS,
  ],
  defaultSort: 'tenant_name',
  filters: {
    q: searchTerm,
    /** Only keys of this tenant. */
    tenant_id: z.optional(z.uuid()),
    /** Only keys in these states. */
    state: anyOf(keyStateName),
    /** Only keys that expire within a week or 30 days, never, or in the past. */
    expiry: anyOf(keyExpiry),
    /** Only keys that allow any origin, or only keys with a list of origins. */
    origins: anyOf(keyOrigins),
    /** Only keys of these environments. */
    environment: anyOf(keyEnvironment),
    /** Only keys of this kind of the attention panel. */
    attention: z.optional(keyAttention),
    deleted: deletedFilter,
    /** Shows replaced keys as `old_keys` of their successors instead of rows. */
    fold: z.optional(z.literal('true')),
    updated_since: updatedFilter,
  },
})

/** The list of API keys. */
export const apiKeyList = {
  ...list,
  ...describeExport(noun, {
    filters: list.filters,
    file: 'api-keys',
    columns: [
      'id',
      'tenant_id',
      'tenant_name',
      'tenant_subdomain',
      'tenant_status',
      'name',
      'description',
      'environment',
      'allowed_origins',
      'is_active',
      'state',
      'created_at',
      'last_used_at',
      'expires_at',
      'key_prefix',
      'key_start',
      'key_last4',
      'rotated_from',
      'rotated_at',
      'grace_ends_at',
      'revoked_at',
      'reported_at',
      'reported_url',
      'calls_7_days',
      'refused_7_days',
    ],
  }),
  ...describeBulk(noun, {
    filters: list.filters,
    actions: ['activate', 'deactivate', 'delete', 'restore'],
    sensitive: ['deactivate', 'delete', 'restore'],
  }),
}
export type ApiKeyListQuery = z.infer<typeof apiKeyList.list.schema.querystring>
