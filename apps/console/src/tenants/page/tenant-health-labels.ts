import { RECENT_CALL_DAYS } from '@switchboard/contract/api-keys/key-list'
import type { Tenant } from '@switchboard/contract/tenants'
import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { suspensionText } from '#src/tenants/tenant-labels.ts'

/** The reason of a suspension comes between the text and the rest. */
type Health = { tone: 'ok' | 'quiet' | 'bad'; text: string; reason?: string | null; rest?: string }
type ShownTenant = Pick<
  Tenant,
  'status' | 'api_key_count' | 'test_api_key_count' | 'suspended_until' | 'suspension_reason'
>
type Counts = Omit<TenantHealth, 'activity_count' | 'review_count'>

/**
 * Whether the assistants of a tenant reach the platform, in one sentence: "2 keys working, last accepted call 1 hour
 * ago".
 */
export function healthOf(
  { status, api_key_count, test_api_key_count, ...suspension }: ShownTenant,
  { working_key_count: working, last_used_at, inactive_since, refused_since }: Counts,
  now = serverNow(),
): Health {
  if (status !== 'active') {
    const { suspended_until, suspension_reason: reason } = suspension
    const rest = inactive_since === null ? 'all calls refused' : `${counted(refused_since, 'call')} refused`
    return { tone: 'bad', text: suspensionText({ suspended_at: inactive_since, suspended_until }, now), reason, rest }
  }
  if (api_key_count === 0) return { tone: 'quiet', text: 'No API key yet' }
  const live = api_key_count - test_api_key_count
  if (live === 0) return { tone: 'quiet', text: 'No live API key yet' }
  const noun = test_api_key_count === 0 ? 'key' : 'live key'
  if (working === 0) {
    const none = live === 1 ? `The ${noun} does not work` : `None of ${counted(live, noun)} works`
    return { tone: 'bad', text: `${none}: all calls refused` }
  }
  const keys = `${counted(working, noun)} working`
  if (last_used_at === null) return { tone: 'quiet', text: `${keys}, no accepted call yet` }
  const isRecent = now - Date.parse(last_used_at) < RECENT_CALL_DAYS * DAY_MS
  return { tone: isRecent ? 'ok' : 'quiet', text: `${keys}, last accepted call ${relativeText(last_used_at, now)}` }
}
