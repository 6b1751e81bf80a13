import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import type { Tone } from '#src/ui/badge/badge.tsx'

/** Active is green, every other status red. */
export const STATUS_BADGES = {
  active: { tone: 'ok', text: 'Active' },
  inactive: { tone: 'bad', text: 'Inactive' },
} satisfies Record<TenantStatus, { tone: Tone; text: string }>
