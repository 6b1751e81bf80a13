import * as z from 'zod/mini'
import type { Capability } from '#src/auth/capabilities.ts'
import type { ConsoleRole } from '#src/auth/current-admin.ts'

/** A scope of a service token. */
export const scope = z.enum([
  'keys:verify',
  'prompts:read',
  'users:verify',
  'read',
  'tenants:write',
  'users:write',
  'keys:write',
  'tasks:write',
])
export type Scope = z.infer<typeof scope>

/** The endpoints that a scope opens: by name, or by the capability that they need and the noun in their name. */
type Opened =
  | { server: 'ai-api'; operations: readonly string[] }
  | { server: 'admin-api'; capabilities: readonly Capability[]; nouns?: readonly string[] }

/**
 * The scopes of service tokens, and what each of them opens. An endpoint that no scope opens refuses every service token,
 * such as deletions, published templates, the team, sign-in rules and the tokens themselves.
 */
const SCOPES: Readonly<Record<Scope, Opened>> = {
  'keys:verify': { server: 'ai-api', operations: ['keys.verify'] },
  'prompts:read': { server: 'ai-api', operations: ['prompts.render', 'prompts.render_with_variables'] },
  'users:verify': { server: 'ai-api', operations: ['users.verify', 'users.password', 'users.accept_invitation'] },
  read: { server: 'admin-api', capabilities: ['view', 'export'] },
  'tenants:write': { server: 'admin-api', capabilities: ['edit'], nouns: ['tenants', 'notes'] },
  'users:write': { server: 'admin-api', capabilities: ['edit'], nouns: ['users'] },
  'keys:write': { server: 'admin-api', capabilities: ['edit'], nouns: ['api_keys'] },
  'tasks:write': { server: 'admin-api', capabilities: ['edit'], nouns: ['tasks', 'runs', 'places'] },
}

/** The server whose endpoints a scope opens. */
export function serverOf(name: Scope): 'ai-api' | 'admin-api' {
  return SCOPES[name].server
}

/** The answer of ai-api to a service token that is not accepted, for any reason. */
export const TOKEN_INVALID = 'Invalid service token'
/** The answer to a service token that calls an endpoint that no scope opens. */
export const TOKEN_REFUSED = 'A service token cannot make this call. Sign in as a person.'

/** The answer to a service token without the scope of an endpoint. */
export function scopeRefused(needed: readonly Scope[]): string {
  return `This call needs a service token with the scope ${needed.join(' or ')}.`
}

/** An endpoint as scopes see it: its name, and what it demands. */
export type ScopedEndpoint = { operationId: string; capability?: Capability | undefined; token?: boolean | undefined }

/** The scopes that open an endpoint; any one of them is enough. */
export function scopesOf(endpoint: ScopedEndpoint): Scope[] {
  return scope.options.filter((name) => opens(SCOPES[name], endpoint))
}

function opens(opened: Opened, { operationId, capability, token }: ScopedEndpoint): boolean {
  if (opened.server === 'ai-api') return opened.operations.includes(operationId)
  if (token === true) return true
  const [noun = ''] = operationId.split('.', 1)
  const { capabilities, nouns } = opened
  return capability !== undefined && capabilities.includes(capability) && (nouns?.includes(noun) ?? true)
}

/** The role of a service token's calls of admin-api, for the rules that ask for a role. */
export function roleOfScopes(scopes: readonly Scope[]): ConsoleRole {
  return scopes.some((name) => name.endsWith(':write')) ? 'support' : 'auditor'
}

/** Named sets of scopes for the programs that most platforms have. */
export const SCOPE_PRESETS = {
  runtime: ['keys:verify', 'prompts:read', 'users:verify'],
  billing: ['read', 'tenants:write', 'users:write', 'keys:write'],
  support: ['read', 'tenants:write', 'users:write', 'keys:write', 'tasks:write'],
  auditor: ['read'],
} as const satisfies Record<string, readonly Scope[]>
/** The name of a preset. */
export type Preset = keyof typeof SCOPE_PRESETS
