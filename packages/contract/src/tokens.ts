import * as z from 'zod/mini'
import { type Scope, scope, serverOf } from '#src/tokens/scopes.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { moment, requiredText } from '#src/wire/text.ts'

/** Default and longest lifetime of a service token, in days. */
export const TOKEN_DAYS_DEFAULT = 90
export const TOKEN_DAYS_MAX = 365
/** Maximum number of tokens that are neither revoked nor expired. */
export const TOKENS_MAX = 100
/** Maximum number of listed tokens. */
export const TOKENS_LISTED_MAX = 500
/** Longest name of a token. */
export const TOKEN_NAME_MAX = 100
/** Maximum number of networks of a token. */
export const TOKEN_NETWORKS_MAX = 20
/** Maximum number of tenants of a token. */
export const TOKEN_TENANTS_MAX = 100
/** Minimum interval between two writes of `last_used_at`, and between two audited refusals of a token's network. */
export const TOKEN_USE_INTERVAL_MS = 60 * 1_000
export const TOKEN_REFUSAL_INTERVAL_MS = 15 * 60 * 1_000

/** Action of an audited refusal: a token was sent from outside of its networks. */
export const TOKEN_REFUSED_ACTION = 'tokens.use'

/** `active` tokens are accepted. `suspended`: the maker must add the required second factor first. */
export const tokenStatus = z.enum(['active', 'suspended', 'expired', 'revoked'])
export type TokenStatus = z.infer<typeof tokenStatus>

/** The status of a token at a moment. */
export function tokenStatusAt(
  at: Date,
  token: { revoked_at: string | null; expires_at: string; is_maker_allowed: boolean },
): TokenStatus {
  if (token.revoked_at !== null) return 'revoked'
  if (Date.parse(token.expires_at) <= at.getTime()) return 'expired'
  return token.is_maker_allowed ? 'active' : 'suspended'
}

/** The actor of a token in the audit log: `token "Billing" of ada@example.com`. */
export function tokenActor(token: { name: string; created_by_email: string }): string {
  return `token "${token.name}" of ${token.created_by_email}`
}

/** A service token, without its secret. */
export const serviceToken = z.object({
  /** Id of the token. */
  id: z.uuid(),
  /** Name of the token. */
  name: z.string(),
  /** What the token may do. */
  scopes: z.array(scope),
  status: tokenStatus,
  /** First characters, to find the token in a configuration. */
  token_start: z.string(),
  /** The only tenants that the token may ask about. Empty: every tenant. */
  tenants: z.array(
    z.object({
      /** Id of the tenant. */
      id: z.uuid(),
      /** Name of the tenant. Null for a deleted tenant. */
      name: z.nullable(z.string()),
    }),
  ),
  /** Networks that may use the token, in CIDR notation. Empty: every network. */
  networks: z.array(z.string()),
  /** Id of the maker. Null after the deletion of the account. */
  created_by_id: z.nullable(z.uuid()),
  /** Email address of the maker. */
  created_by_email: z.string(),
  /** When the token was created. */
  created_at: moment,
  /** From when on the token is refused. */
  expires_at: moment,
  /** The last use, exact to a minute. Null before the first. */
  last_used_at: z.nullable(moment),
  /** Network address of the last use. */
  last_used_address: z.nullable(z.string()),
  /** When the token was revoked. Null for a token that was not. */
  revoked_at: z.nullable(moment),
})
export type ServiceToken = z.infer<typeof serviceToken>

/** A new token. `token` is its secret and is returned only once. */
export const newServiceToken = z.extend(serviceToken, {
  /** The secret. Only this answer has it. */
  token: z.string(),
})
export type NewServiceToken = z.infer<typeof newServiceToken>

/** Sentence for a text that is not a network. */
export const NETWORK_INVALID = 'Use an address or a network, such as 203.0.113.7 or 203.0.113.0/24.'

/** An IP address, or a network in CIDR notation. */
export const network = z
  .string()
  .check(z.maxLength(49, NETWORK_INVALID))
  .check(z.refine((text) => NETWORKS.some((schema) => schema.safeParse(text).success), NETWORK_INVALID))
const NETWORKS = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]

/** Sentences for a token without a scope, and for the tenants of a token that opens admin-api. */
export const SCOPES_MISSING = 'A token needs a scope.'
export const TENANTS_NEED_AI_API = 'Only a token without scopes of the admin API can be limited to tenants.'

/**
 * A service token to create. Lifetime in days, by default 90. Only a token whose scopes all open ai-api can be limited to
 * tenants, because the lists of admin-api show every tenant.
 * @example {"name":"Billing","scopes":["read","tenants:write","keys:write"],"expires_in_days":90,"networks":["203.0.113.0/24"]}
 */
export const createTokenBody = z
  .strictObject({
    /** Name of the token. No other token that is not revoked has it. */
    name: requiredText(TOKEN_NAME_MAX, 'A token needs a name.'),
    /** What the token may do. */
    scopes: z.array(scope).check(z.minLength(1, SCOPES_MISSING), z.maxLength(scope.options.length)),
    /** Ids of the only tenants that the token may ask about. Missing or empty: every tenant. */
    tenant_ids: z.optional(z.array(z.uuid()).check(z.maxLength(TOKEN_TENANTS_MAX))),
    /** Lifetime in days, by default 90. */
    expires_in_days: z.optional(z.int().check(z.minimum(1), z.maximum(TOKEN_DAYS_MAX))),
    /** Networks that may use the token, in CIDR notation. Missing or empty: every network. */
    networks: z.optional(z.array(network).check(z.maxLength(TOKEN_NETWORKS_MAX))),
  })
  .check(
    z.refine(({ scopes, tenant_ids = [] }) => tenant_ids.length === 0 || mayHaveTenants(scopes), {
      error: TENANTS_NEED_AI_API,
      path: ['tenant_ids'],
    }),
  )
export type CreateTokenBody = z.infer<typeof createTokenBody>

/** Whether a token with these scopes can be limited to tenants. */
export function mayHaveTenants(scopes: readonly Scope[]): boolean {
  return scopes.every((each) => serverOf(each) === 'ai-api')
}

const url = '/api/v1/admin/tokens'
const tags = ['Service tokens']

/** The newest 500 tokens, revoked and expired tokens after the others. */
export const listTokens = endpoint('GET', url, {
  config: { capability: 'tokens' },
  operationId: 'tokens.list',
  summary: 'List service tokens',
  tags,
  response: { 200: z.array(serviceToken) },
})

/** Creates a token and returns its secret once. 409 for a name in use and above 100 tokens. */
export const createToken = endpoint('POST', url, {
  config: { capability: 'tokens', confirmed: true },
  operationId: 'tokens.create',
  summary: 'Create a service token',
  tags,
  body: createTokenBody,
  response: { 201: newServiceToken },
})

/** Revokes a token immediately and permanently. It stays in the list. */
export const revokeToken = endpoint('DELETE', `${url}/:id`, {
  config: { capability: 'tokens', confirmed: true },
  operationId: 'tokens.revoke',
  summary: 'Revoke a service token',
  tags,
  params: z.strictObject({
    /** Id of the token. */
    id: z.uuid(),
  }),
  response: { 204: z.null() },
})
