import * as z from 'zod/mini'
import { tenantStatus } from '#src/tenants/tenant-status.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody } from '#src/wire/errors.ts'
import { anyText, moment } from '#src/wire/text.ts'
import { keyEnvironment } from './key-environment.ts'
import { keyRefusal } from './key-outcomes.ts'

/** The answer to every unusable key, for any reason. */
export const KEY_REFUSED = 'Invalid API key'
/** The answer to a valid key with an origin that is not allowed. */
export const ORIGIN_REFUSED = 'Origin not allowed'

/** `X-Tenant-Id`: the tenant of the key. */
export const TENANT_ID_HEADER = 'x-tenant-id'
/** `X-Api-Key-Id`: the id of the key. */
export const API_KEY_ID_HEADER = 'x-api-key-id'
/** `X-Key-Environment`: the environment of the key, `live` or `test`. */
export const KEY_ENVIRONMENT_HEADER = 'x-key-environment'
/** `X-Api-Key-Grace-Ends`: end of the grace period of a rotated key. */
export const GRACE_ENDS_HEADER = 'x-api-key-grace-ends'

/** What only a service token learns about an existing key, whether the key is accepted or refused. */
const keyDetails = z.object({
  /** The tenant that owns the key. Only for a service token. */
  tenant: z.object({
    /** Id of the tenant. */
    id: z.uuid(),
    /** Name of the tenant. */
    name: z.string(),
    /** Whether the tenant is active. The keys of an inactive tenant are refused. */
    status: tenantStatus,
    /** Tags of the tenant. */
    tags: z.array(z.string()),
    /** Custom fields of the tenant: values by name. */
    custom_fields: z.record(z.string(), z.string()),
  }),
  /** The key. Only for a service token. */
  key: z.object({
    /** Id of the key. */
    id: z.uuid(),
    /** Name of the key. */
    name: z.string(),
    environment: keyEnvironment,
    /** From when on the key is refused. Null for a key without an end. */
    expires_at: z.nullable(moment),
  }),
})
export type KeyDetails = z.infer<typeof keyDetails>

/** An accepted key: its tenant, its id, its environment, and its end if rotated. Details for a service token. */
const verifiedKey = z.extend(z.partial(keyDetails), {
  /** Id of the tenant that owns the key. */
  tenant_id: z.uuid(),
  /** Id of the key. */
  api_key_id: z.uuid(),
  environment: keyEnvironment,
  /** Time until which a rotated key is accepted. Null for every other key. */
  grace_ends_at: z.nullable(moment),
})

/**
 * A refused key. The reason and the details are for a service token.
 * @example {"detail":"Invalid API key","code":"unauthorized"}
 */
const refusedKey = z.extend(errorBody, {
  ...z.partial(keyDetails).shape,
  /** Why the key is refused, for a service token. Everyone else gets `unauthorized`, or `forbidden` for the origin. */
  code: z.enum(['unauthorized', 'forbidden', ...keyRefusal.options]),
})

const tags = ['API keys']

/**
 * Checks a key and the origin of the request. 401 with `KEY_REFUSED`, 403 with `ORIGIN_REFUSED`. A service token with the
 * scope `keys:verify` (`Authorization: Bearer`) also learns the tenant, the key and, as `code`, the reason of a refusal. To
 * a token for certain tenants, keys of other tenants are unknown. 503 while the database is away.
 */
export const verifyKey = endpoint('POST', '/v1/keys/verify', {
  config: { public: true },
  operationId: 'keys.verify',
  summary: 'Verify an API key',
  tags,
  body: z.strictObject({
    /** The key to check, as the caller sent it. */
    api_key: z.optional(anyText(1_000)),
    /** `Origin` header of the request to check. Missing: a request without an origin. */
    origin: z.optional(anyText(1_000)),
  }),
  response: { 200: verifiedKey, 401: refusedKey, 403: refusedKey },
})

/**
 * The same for a gateway (nginx `auth_request`, Caddy and Traefik forward auth): the key comes as `X-Api-Key` or,
 * without this header, as `Authorization: Bearer`, the origin as `Origin`, and the owner of the key goes back in
 * headers.
 */
export const authorizeKey = endpoint('GET', '/v1/keys/authorize', {
  config: { public: true, apiKey: true, anyMethod: true },
  operationId: 'keys.authorize',
  summary: 'Authorize a request by its API key',
  tags,
  response: { 204: z.null() },
})

/**
 * The same for a gateway that repeats the method and the path of its caller (Envoy `ext_authz`). A good key gets 200,
 * because Envoy treats every other status as a refusal.
 */
export const authorizeRepeated = endpoint('GET', `${authorizeKey.url}/*`, {
  config: { public: true, apiKey: true, anyMethod: true },
  operationId: 'keys.authorize_repeated',
  summary: 'Authorize a request by its API key, at any path',
  tags,
  hide: true,
  response: { 200: z.null() },
})
