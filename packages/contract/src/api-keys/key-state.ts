import * as z from 'zod/mini'
import type { ApiKey } from '#src/api-keys.ts'
import type { Tenant } from '#src/tenants.ts'
import { DAY_MS } from '#src/wire/days.ts'
import { EXPIRING_DAYS } from './key-outcomes.ts'

/** The states of a key. Its calls are accepted in the first three. */
export const KEY_STATES = [
  'working',
  'expiring',
  'in_grace',
  'expired',
  'grace_ended',
  'switched_off',
  'revoked',
  'blocked',
] as const
/** The state of a key; `blocked`: its tenant is inactive. */
export const keyStateName = z.enum(KEY_STATES)
export type KeyState = z.infer<typeof keyStateName>

/** The state of a key at `now` (ms). The first reason to refuse it wins, in the order of the checks of ai-api. */
export function keyState(
  key: Pick<ApiKey, 'is_active' | 'expires_at' | 'grace_ends_at' | 'revoked_at'>,
  tenant: Pick<Tenant, 'status'>,
  now: number,
): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  if (tenant.status !== 'active') return 'blocked'
  if (!key.is_active) return 'switched_off'
  const left = key.expires_at === null ? Infinity : Date.parse(key.expires_at) - now
  const isRotated = key.grace_ends_at !== null
  if (left <= 0) return isRotated ? 'grace_ended' : 'expired'
  if (isRotated) return 'in_grace'
  return left <= EXPIRING_DAYS * DAY_MS ? 'expiring' : 'working'
}

/** Whether calls with a key in this state are accepted. */
export function isWorkingState(state: KeyState): boolean {
  return state === 'working' || state === 'expiring' || state === 'in_grace'
}
