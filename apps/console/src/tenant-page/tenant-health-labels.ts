import type { Tenant } from '@switchboard/contract/tenants'
import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { counted, countText } from '#src/lib/format/count.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { suspensionText } from '#src/tenants/tenant-labels.ts'

/** The reason of a suspension comes between the text and the rest. */
type Health = { tone: 'ok' | 'quiet' | 'bad'; text: string; reason?: string | null; rest?: string }
type ShownTenant = Pick<
  Tenant,
  'status' | 'api_key_count' | 'test_api_key_count' | 'suspended_until' | 'suspension_reason'
>
type Counts = Omit<TenantHealth, 'activity_count' | 'review_count'>

/** Whether the assistants of a tenant reach the platform, in one sentence: "2 of 3 keys accepted in the last hour". */
export function healthOf(
  { status, api_key_count, test_api_key_count, ...suspension }: ShownTenant,
  { working_key_count: working, used_key_count: used, inactive_since, refused_since }: Counts,
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
  const keys = counted(working, `working ${noun}`)
  if (used > 0) return { tone: 'ok', text: `${countText(used)} of ${keys} accepted in the last hour` }
  const none = working === 1 ? `The working ${noun} was not` : `None of ${keys}`
  return { tone: 'quiet', text: `${none} accepted in the last hour` }
}
