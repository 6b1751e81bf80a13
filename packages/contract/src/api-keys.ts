import * as z from 'zod/mini'
import { ALLOWED_ORIGINS_MAX, allowedOrigin } from '#src/api-keys/allowed-origins.ts'
import { keyEnvironment } from '#src/api-keys/key-environment.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody, KEY_CONFLICTS, lastEdit } from '#src/wire/errors.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { TENANT_NAME_MAX } from './tenants.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'
import { anyText, isVisible, moment, requiredText, trimmedText } from '#src/wire/text.ts'
import { keyRefusals } from '#src/api-keys/key-outcomes.ts'

const DEFAULT_NAME = 'API Key for '
/** Longest name of a key. */
export const API_KEY_NAME_MAX = DEFAULT_NAME.length + TENANT_NAME_MAX
/** Longest description of a key. */
export const API_KEY_DESCRIPTION_MAX = 500
/** Maximum number of keys of a tenant. */
export const API_KEYS_PER_TENANT_MAX = 10_000

/** Default name of a key. */
export function defaultApiKeyName(tenantName: string): string {
  return `${DEFAULT_NAME}${tenantName}`
}

/** Longest grace period: seven days, in seconds. */
export const GRACE_SECONDS_MAX = 604_800
/** Length of a grace period, in seconds. */
const graceSeconds = z.int().check(z.minimum(0), z.maximum(GRACE_SECONDS_MAX))

/**
 * The record of a secret. The secret exists only in the answer to its creation. `key_start` has the first four
 * characters after the prefix, `key_last4` the last four of the whole secret: enough to identify a leaked secret.
 */
export const apiKey = z.object({
  /** Id of the key. */
  id: z.uuid(),
  /** Id of the tenant that owns the key. */
  tenant_id: z.uuid(),
  /** Name of that tenant. */
  tenant_name: z.string(),
  /** Subdomain of that tenant. */
  tenant_subdomain: z.string(),
  /** Status of that tenant. The keys of an inactive tenant are refused. */
  tenant_status: tenantStatus,
  /** Name of the key, for people. */
  name: z.string(),
  /** What the key is for. */
  description: z.string(),
  environment: keyEnvironment,
  /** Origins that may send the key, such as `https://shop.example.com`. Empty: any origin. */
  allowed_origins: z.array(z.string()),
  /** The switch of the key. An inactive key is refused. */
  is_active: z.boolean(),
  /** When the key was created. */
  created_at: moment,
  /** When `version` last grew, or when the key was restored or deleted. Calls of the key do not count. */
  updated_at: moment,
  /** The last accepted call, at most an hour behind; exact in the diagnosis of the key. */
  last_used_at: z.nullable(moment),
  /** From when on the key is refused. Null: never. */
  expires_at: z.nullable(moment),
  /** Prefix of the secret: it names the environment. */
  key_prefix: z.string(),
  /** The four characters of the secret after the prefix. */
  key_start: z.string(),
  /** The last four characters of the secret. */
  key_last4: z.string(),
  /** Id of the key that this key replaced. Null without one. */
  rotated_from: z.nullable(z.uuid()),
  /** Id of the live successor. Null without one. */
  rotated_to: z.nullable(z.uuid()),
  /** When the key was replaced by a rotation. Null without a rotation. */
  rotated_at: z.nullable(moment),
  /** Until when a rotated key is accepted. Null for every other key. */
  grace_ends_at: z.nullable(moment),
  /** The expiry before the rotation. Null without a rotation or an expiry. */
  original_expires_at: z.nullable(moment),
  /** For both keys of a rotation: calls accepted since, at most ten seconds late. Null without a rotation. */
  calls_since_rotation: z.nullable(z.int()),
  /** Number of refused checks of a rotated key after its end. Null without a rotation. */
  refused_since_end: z.nullable(z.int()),
  /** Refusals of the last seven days. Null without any. */
  refusals: z.nullable(keyRefusals),
  /** When the key was revoked. Null for a key that was not. A revoked key never works again. */
  revoked_at: z.nullable(moment),
  /** When a scanner first reported the secret as leaked. Null for a key that was not reported. */
  reported_at: z.nullable(moment),
  /** Where the secret was found, if the report says so. */
  reported_url: z.nullable(z.string()),
  /** Grows with every saved change. `If-Match` takes it. */
  version: z.int(),
})
export type ApiKey = z.infer<typeof apiKey>

/** A new key with its secret, shown once and never stored. */
export const newApiKey = z.extend(apiKey, {
  /** The secret. Only this answer has it. */
  api_key: z.string(),
})
export type NewApiKey = z.infer<typeof newApiKey>

const allowedOrigins = z
  .array(allowedOrigin)
  .check(z.maxLength(ALLOWED_ORIGINS_MAX, `Use at most ${ALLOWED_ORIGINS_MAX} origins.`))

/**
 * A new key of a tenant.
 * @example {"tenant_id":"5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d","name":"Production","environment":"live","allowed_origins":["https://shop.example.com"]}
 */
export const createApiKeyBody = z.strictObject({
  /** Id of the tenant that owns the key. */
  tenant_id: z.uuid(),
  /** Name of the key. Missing or without a visible character: "API Key for" and the name of the tenant. */
  name: z.optional(trimmedText(API_KEY_NAME_MAX).check(z.overwrite((name) => (isVisible(name) ? name : '')))),
  /** What the key is for. */
  description: z.optional(anyText(API_KEY_DESCRIPTION_MAX).check(z.trim())),
  /** Environment of the key, by default live. It never changes, and a rotation keeps it. */
  environment: z.optional(keyEnvironment),
  /** Origins that may send the key, at most 50. Missing or empty: any origin. */
  allowed_origins: z.optional(allowedOrigins),
  /** From when on the key is refused. Missing or null: never. */
  expires_at: z.optional(z.nullable(moment)),
})
export type CreateApiKeyBody = z.input<typeof createApiKeyBody>

/**
 * Fields of a key to change; fields left out stay as they are. The secret and the environment never change.
 * @example {"allowed_origins":["https://shop.example.com","https://www.example.com"],"expires_at":null}
 */
export const updateApiKeyBody = z.partial(
  z.strictObject({
    /** New name of the key. */
    name: requiredText(API_KEY_NAME_MAX, 'Key name is required'),
    /** What the key is for. */
    description: anyText(API_KEY_DESCRIPTION_MAX).check(z.trim()),
    /** Replace all allowed origins. Empty: any origin. */
    allowed_origins: allowedOrigins,
    /** From when on the key is refused. Null: never. */
    expires_at: z.nullable(moment),
  }),
)
export type UpdateApiKeyBody = z.infer<typeof updateApiKeyBody>

/** The successor of a key: the grace period of the old key, and the expiry of the new key. */
export const rotateApiKeyBody = z.strictObject({
  /** How long the old key keeps working, in seconds. */
  grace_seconds: graceSeconds,
  /** Expiry of the new key. Null: never. `same_lifetime`, the default: the lifetime of the old key, counted from now. */
  expires_at: z.optional(z.union([z.literal('same_lifetime'), moment, z.null()])),
})
export type RotateApiKeyBody = z.input<typeof rotateApiKeyBody>

/** A code of `KEY_CONFLICTS`. */
export type KeyConflict = (typeof KEY_CONFLICTS)[number]

/**
 * The answer when the state of a key forbids a change.
 * @example {"detail":"This key has been rotated already.","code":"already_rotated","successor_id":"7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d"}
 */
const keyConflict = z.extend(errorBody, {
  /** Why the key cannot be changed, rotated or extended. */
  code: z.enum(['conflict', ...KEY_CONFLICTS]),
  /** Id of the live successor, with the code `already_rotated`. */
  successor_id: z.optional(z.uuid()),
})

/** The answer to a stale `If-Match`: the current key, its last editor and the time of the edit. */
export const staleApiKey = z.extend(errorBody, {
  /** The record as it is now. */
  current: apiKey,
  ...lastEdit,
})

export const API_KEYS_URL = '/api/v1/admin/api-keys'
const url = API_KEYS_URL
const tags = ['API keys']
const params = z.strictObject({
  /** Id of the key. */
  key_id: z.uuid(),
})

/** The keys of a tenant, newest first, without deleted keys. 404 without such a tenant. */
export const listApiKeys = endpoint('GET', `${url}/:tenant_id`, {
  config: { capability: 'view' },
  operationId: 'api_keys.list_of_tenant',
  summary: 'List the API keys of a tenant',
  tags,
  params: z.strictObject({
    /** Id of the tenant. */
    tenant_id: z.uuid(),
  }),
  response: { 200: z.array(apiKey) },
})

/** A key, with its version as `ETag`. 404 without such a key, and for a deleted one. */
export const getApiKey = endpoint('GET', `${url}/:key_id/record`, {
  config: { capability: 'view' },
  operationId: 'api_keys.get',
  summary: 'Read an API key',
  tags,
  params,
  response: { 200: apiKey },
})

/** Creates a key. Only this answer contains the secret. */
export const createApiKey = endpoint('POST', url, {
  config: { capability: 'edit', confirmed: true },
  operationId: 'api_keys.create',
  summary: 'Generate an API key',
  tags,
  body: createApiKeyBody,
  response: { 201: newApiKey },
})

/**
 * Changes the fields in the body. A stale `If-Match: "version"` gets 412. 409 with `code` for a revoked
 * key, and for the expiry of a rotated key, which the end of its grace period sets.
 */
export const updateApiKey = endpoint('PATCH', `${url}/:key_id`, {
  config: { capability: 'edit', confirmed: ['longer_life'] },
  operationId: 'api_keys.update',
  summary: 'Change an API key',
  tags,
  params,
  headers: ifMatchHeaders,
  body: updateApiKeyBody,
  response: { 200: apiKey, 409: keyConflict, 412: staleApiKey },
})

/** Deletes the key: its secret is refused within a second. The key can be restored for 30 days. */
export const deleteApiKey = endpoint('DELETE', `${url}/:key_id`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'api_keys.delete',
  summary: 'Delete an API key',
  tags,
  params,
  response: { 204: z.null() },
})

/**
 * Restores a key within 30 days of the deletion: its secret is accepted again. A key that is not deleted does not
 * change. 404 without such a key, deleted or not, 409 when the key that this key replaced has been rotated again, at
 * the maximum number of keys, and while the tenant is deleted.
 */
export const restoreApiKey = endpoint('POST', `${url}/:key_id/restore`, {
  config: { capability: 'delete', confirmed: true },
  operationId: 'api_keys.restore',
  summary: 'Restore a deleted API key',
  tags,
  params,
  response: { 200: apiKey },
})

/**
 * Activates or deactivates the key, for every check within a second. Idempotent with a body; toggles without. 409 for a
 * revoked key.
 */
export const toggleApiKey = endpoint('PATCH', `${url}/:key_id/toggle`, {
  config: { capability: 'edit' },
  operationId: 'api_keys.toggle',
  summary: 'Activate or deactivate an API key',
  tags,
  params,
  body: z.nullish(
    z.strictObject({
      /** Whether the key is accepted. Missing: the opposite of now. */
      is_active: z.optional(z.boolean()),
    }),
  ),
  response: { 200: apiKey, 409: keyConflict },
})

/**
 * Creates a successor; the old key works until the grace period ends. 409 with `code` when the key is disabled,
 * expired, revoked or already has a live successor (then with `successor_id`); 412 for a stale `If-Match: "version"`.
 */
export const rotateApiKey = endpoint('POST', `${url}/:key_id/rotate`, {
  config: { capability: 'edit', confirmed: true },
  operationId: 'api_keys.rotate',
  summary: 'Rotate an API key',
  tags,
  params,
  headers: ifMatchHeaders,
  body: rotateApiKeyBody,
  response: {
    201: z.extend(newApiKey, {
      /** The old key. */
      replaced: apiKey,
    }),
    409: keyConflict,
    412: staleApiKey,
  },
})

/** Ends the grace period of a rotated key now. 409 without a running grace period. */
export const endGrace = endpoint('POST', `${url}/:key_id/end-grace`, {
  config: { capability: 'edit' },
  operationId: 'api_keys.end_grace',
  summary: 'End the grace of a rotated API key',
  tags,
  params,
  response: { 200: apiKey, 409: keyConflict },
})

/**
 * Extends a running grace period to `grace_seconds` from the rotation, never beyond the key's own expiry. 400 when the
 * new end is not later.
 */
export const extendGrace = endpoint('POST', `${url}/:key_id/extend-grace`, {
  config: { capability: 'edit', confirmed: true },
  operationId: 'api_keys.extend_grace',
  summary: 'Extend the grace of a rotated API key',
  tags,
  params,
  body: z.strictObject({
    /** The new length of the grace period, in seconds from the rotation. */
    grace_seconds: graceSeconds,
  }),
  response: { 200: apiKey, 409: keyConflict },
})
