import type { ApiKey } from '@switchboard/contract/api-keys'
import { type AuditTarget, changedFields } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'

/** Audited fields of a created or deleted key: all except the secret. */
export function auditedKey({
  tenant_id,
  name,
  description,
  environment,
  allowed_origins,
  expires_at,
  key_start,
  key_last4,
}: ApiKey) {
  return { tenant_id, name, description, environment, allowed_origins, expires_at, key_start, key_last4 }
}

/** Audited changes of a key's lifecycle: on or off, expiry, rotation, revocation. */
export function lifecycleChanges(before: ApiKey, after: ApiKey): AuditChanges {
  return changedFields(lifecycleOf(before), lifecycleOf(after))
}

export function targetOf({ id, name, tenant_id }: ApiKey): AuditTarget {
  return { type: 'api_key', id, name, tenant_id }
}

function lifecycleOf({ is_active, expires_at, grace_ends_at, revoked_at, rotated_to }: ApiKey) {
  return { is_active, expires_at, grace_ends_at, revoked_at, rotated_to }
}
