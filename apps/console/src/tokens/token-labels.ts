import type { MachineToken, TokenRole, TokenStatus } from '@switchboard/contract/tokens'
import type { Tone } from '#src/ui/badge/badge.tsx'

export const TOKEN_ROLE_LABELS = { support: 'Support', auditor: 'Auditor' } satisfies Record<TokenRole, string>

export const TOKEN_ROLE_HINTS = {
  support: 'Reads everything without secrets; creates and edits tenants, users, keys and tasks.',
  auditor: 'Reads everything without secrets, exports lists, and changes nothing.',
} satisfies Record<TokenRole, string>

export const TOKEN_STATUS_BADGES = {
  active: { tone: 'ok', text: 'Active' },
  suspended: { tone: 'warn', text: 'Suspended' },
  expired: { tone: 'neutral', text: 'Expired' },
  revoked: { tone: 'bad', text: 'Revoked' },
} satisfies Record<TokenStatus, { tone: Tone; text: string }>

/** Why a suspended token is refused. */
export const SUSPENDED_HELP = 'Its maker must add the required second factor first.'

/** "sb_admin_AbCd…" */
export function startText({ token_start }: Pick<MachineToken, 'token_start'>): string {
  return `${token_start}…`
}

/** "203.0.113.0/24, 2001:db8::/32", or "Any". */
export function networksText({ networks }: Pick<MachineToken, 'networks'>): string {
  return networks.length === 0 ? 'Any' : networks.join(', ')
}

/** The networks in a text with commas, spaces or line breaks between them. */
export function typedNetworks(text: string): string[] {
  return text.split(/[\s,]+/).filter((network) => network !== '')
}
