import type { KeyOutcome } from '@switchboard/contract/key-outcomes'

/** Why checks were refused, for people. */
export const OUTCOME_WORDS = {
  valid: 'Accepted',
  revoked: 'The key is revoked',
  tenant_inactive: 'The tenant is inactive',
  disabled: 'The key is inactive',
  expired: 'The key has expired',
  origin_refused: 'The origin is not allowed',
} satisfies Record<KeyOutcome, string>
