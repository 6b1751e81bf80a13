import type { KeyOutcome, KeyRefusals } from '@switchboard/contract/api-keys/key-outcomes'

/** Outcomes of key checks. */
export const OUTCOME_LABELS = {
  valid: 'Accepted',
  revoked: 'The key is revoked',
  tenant_inactive: 'The tenant is inactive',
  disabled: 'The key is inactive',
  expired: 'The key has expired',
  origin_refused: 'The origin is not allowed',
} satisfies Record<KeyOutcome, string>

/** Why a call was refused, after a number or a colon. */
export const REFUSAL_LABELS = {
  revoked: 'key revoked',
  tenant_inactive: 'tenant inactive',
  disabled: 'key inactive',
  expired: 'key expired',
  origin_refused: 'origin not allowed',
} satisfies Record<KeyRefusals['outcome'], string>
