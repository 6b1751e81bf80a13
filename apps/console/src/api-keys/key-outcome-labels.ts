import { type KeyOutcome, type KeyRefusals, REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import { countText } from '#src/lib/format/count.ts'

/** Outcomes of key checks. */
export const OUTCOME_LABELS = {
  valid: 'Accepted',
  revoked: 'The key is revoked',
  tenant_inactive: 'The tenant is inactive',
  disabled: 'The key is switched off',
  expired: 'The key has expired',
  origin_refused: 'The origin is not allowed',
} satisfies Record<KeyOutcome, string>

/** Why a call was refused, after a number or a colon. */
export const REFUSAL_LABELS = {
  revoked: 'key revoked',
  tenant_inactive: 'tenant inactive',
  disabled: 'key switched off',
  expired: 'key expired',
  origin_refused: 'origin not allowed',
} satisfies Record<KeyRefusals['outcome'], string>

/**
 * "633 refused in 7 days · tenant inactive"; `isShort`, for titles with the period: "633 refused · tenant inactive".
 */
export function refusalsText({ count, outcome, is_replaced }: KeyRefusals, isShort = false): string {
  const reason = is_replaced ? 'replaced key still in use' : REFUSAL_LABELS[outcome]
  return `${countText(count)} refused${isShort ? '' : ` in ${REFUSED_DAYS} days`} · ${reason}`
}
