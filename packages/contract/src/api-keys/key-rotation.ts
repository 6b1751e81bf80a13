import type { ApiKey, KeyConflict } from '#src/api-keys.ts'

/** The sentence of each refused rotation. */
export const ROTATION_REFUSALS = {
  key_revoked: 'This key is revoked. Generate a new one.',
  already_rotated: 'This key has already been rotated.',
  key_disabled: 'This key is inactive. Activate it before rotating it.',
  key_expired: 'This key has expired. Generate a new one.',
} satisfies Partial<Record<KeyConflict, string>>

/** The reason why a key cannot be rotated at `now` (ms), or null. */
export function rotationRefusal(
  { revoked_at, rotated_to, is_active, expires_at }: ApiKey,
  now: number,
): keyof typeof ROTATION_REFUSALS | null {
  if (revoked_at !== null) return 'key_revoked'
  if (rotated_to !== null) return 'already_rotated'
  if (!is_active) return 'key_disabled'
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'key_expired'
  return null
}
