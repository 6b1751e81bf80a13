import type { ApiKey } from '@switchboard/contract/api-keys'

/** The moment at which the tests of keys take place, in milliseconds. */
export const NOW = Date.parse('2026-11-20T12:00:00.000Z')

/** The moment so many hours after `NOW`. */
export function after(hours: number): string {
  return new Date(NOW + hours * 3_600_000).toISOString()
}

/** A working key that never expires. */
export const WORKING_KEY: ApiKey = {
  id: '6f6f1b0e-0000-4000-8000-00000000abcd',
  tenant_id: '6f6f1b0e-0000-4000-8000-000000000001',
  tenant_name: 'Tenant',
  tenant_subdomain: 'tenant',
  tenant_status: 'active',
  name: 'Key',
  description: '',
  environment: 'live',
  allowed_origins: [],
  is_active: true,
  created_at: after(-100),
  updated_at: after(-100),
  last_used_at: null,
  expires_at: null,
  key_prefix: 'sb_live_',
  key_start: 'Ab12',
  key_last4: 'wXyZ',
  rotated_from: null,
  rotated_to: null,
  rotated_at: null,
  grace_ends_at: null,
  original_expires_at: null,
  calls_since_rotation: null,
  refused_since_end: null,
  refusals: null,
  revoked_at: null,
  reported_at: null,
  reported_url: null,
  version: 1,
}
