import type { ApiKey } from '@switchboard/contract/api-keys'
import type { AuditChanges } from '@switchboard/database/tables'

/** What the audit log says of a new key: everything but the secret. */
export function auditedKey({
  tenant_id,
  name,
  description,
  allowed_origins,
  expires_at,
  key_start,
  key_last4,
}: ApiKey) {
  const fields = { tenant_id, name, description, allowed_origins, expires_at, key_start, key_last4 }
  return Object.fromEntries(
    Object.entries(fields).map(([field, after]) => [field, { before: null, after }]),
  ) satisfies AuditChanges
}

export function targetOf({ id, name }: ApiKey) {
  return { type: 'api_key', id, name }
}
