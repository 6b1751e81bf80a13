import type { ServiceToken, TokenStatus } from '@switchboard/contract/tokens'
import { type Preset, type Scope, scope, SCOPE_PRESETS, serverOf } from '@switchboard/contract/tokens/scopes'
import type { Tone } from '#src/ui/badge/badge.tsx'

export const SCOPE_LABELS = {
  'keys:verify': 'Check API keys and learn their tenants',
  'prompts:read': 'Read the prompts of tenants',
  'users:verify': 'Verify users of tenants at their sign-in',
  read: 'Read everything without secrets, and export lists',
  'tenants:write': 'Create and edit tenants and their notes',
  'users:write': 'Create and edit users',
  'keys:write': 'Create and edit API keys',
  'tasks:write': 'Create and edit tasks, and run them',
} satisfies Record<Scope, string>

/** The scopes by the server whose calls they open. */
export const SCOPE_GROUPS = [
  { label: 'AI API', scopes: scope.options.filter((name) => serverOf(name) === 'ai-api') },
  { label: 'Admin API', scopes: scope.options.filter((name) => serverOf(name) === 'admin-api') },
]

export const PRESET_LABELS = {
  runtime: 'Runtime',
  billing: 'Billing',
  support: 'Support',
  auditor: 'Auditor',
} satisfies Record<Preset, string>

export const PRESET_HINTS = {
  runtime: 'For the program that answers for tenants.',
  billing: 'For the program that creates tenants, with their users and API keys.',
  support: 'For programs that work as support does. They never delete or publish.',
  auditor: 'For programs that read everything and change nothing.',
} satisfies Record<Preset, string>

/** The preset with exactly these scopes, if there is one. */
export function presetOf(scopes: readonly Scope[]): Preset | undefined {
  const isSame = (preset: readonly Scope[]) =>
    preset.length === scopes.length && preset.every((name) => scopes.includes(name))
  return presets.find((name) => isSame(SCOPE_PRESETS[name]))
}

/** The names of the presets, in the order of the select. */
export const presets: readonly Preset[] = ['runtime', 'billing', 'support', 'auditor']

/** "Runtime" for the scopes of a preset, otherwise the scopes: "read, keys:write". */
export function accessText({ scopes }: Pick<ServiceToken, 'scopes'>): string {
  const preset = presetOf(scopes)
  return preset === undefined ? scopes.join(', ') : PRESET_LABELS[preset]
}

/** "Harbor Dental, Pier Nine". Null for a token for every tenant. */
export function tenantsText({ tenants }: Pick<ServiceToken, 'tenants'>): string | null {
  return tenants.length === 0 ? null : tenants.map(({ name }) => name ?? 'a deleted tenant').join(', ')
}

export const TOKEN_STATUS_BADGES = {
  active: { tone: 'ok', text: 'Active' },
  suspended: { tone: 'warn', text: 'Suspended' },
  expired: { tone: 'neutral', text: 'Expired' },
  revoked: { tone: 'bad', text: 'Revoked' },
} satisfies Record<TokenStatus, { tone: Tone; text: string }>

/** Why a suspended token is refused. */
export const SUSPENDED_HELP = 'Its maker must add the required second factor first.'

/** "sb_svc_AbCd…" */
export function startText({ token_start }: Pick<ServiceToken, 'token_start'>): string {
  return `${token_start}…`
}

/** "203.0.113.0/24, 2001:db8::/32", or "Any". */
export function networksText({ networks }: Pick<ServiceToken, 'networks'>): string {
  return networks.length === 0 ? 'Any' : networks.join(', ')
}

/** The networks in a text with commas, spaces or line breaks between them. */
export function typedNetworks(text: string): string[] {
  return text.split(/[\s,]+/).filter((network) => network !== '')
}
