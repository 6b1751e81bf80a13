import type { ApiKey } from '@switchboard/contract/api-keys'
import { Badge } from '#src/ui/badge/badge.tsx'

/** Marks a test key. */
export function TestBadge({ apiKey }: { apiKey: Pick<ApiKey, 'environment'> }) {
  return apiKey.environment === 'test' && <Badge tone="info" text="Test" />
}
