import { retryAfterMs } from '@switchboard/server/outbound/retry-after'
import { z } from 'zod'
import { PlacesError, type PlacesErrorReason } from './places-error.ts'

/** Google's answer with its body as JSON, or `undefined` without JSON. */
export type Answer = { status: number; retryAfter: string | undefined; json: unknown }

/** The kind of call: a refused place id has another meaning than a refused search. */
export type CallKind = 'search' | 'place'

/**
 * The error of an unsuccessful answer, by HTTP status, `status` and `details[].reason`, never by Google's text
 * (google/rpc/error_details.proto, google/api/error_reason.proto).
 */
export function refusal({ status, retryAfter, json }: Answer, kind: CallKind, now: Date): PlacesError {
  const { success, data } = errorBody.safeParse(json)
  const info = data?.error.details.find(({ reason }) => reason !== undefined)
  const detail = [`HTTP ${status}`, data?.error.status, info?.reason].filter((part) => part !== undefined).join(' ')
  const reason = reasonOf(status, success, info, kind)
  const waitMs = retryAfterMs(retryAfter, now)
  return new PlacesError(reason, {
    detail,
    retryAfterMs: reason === 'quota_day' ? Math.max(untilMidnightPacificMs(now), waitMs ?? 0) : waitMs,
  })
}

function reasonOf(status: number, isGoogles: boolean, info: Info | undefined, kind: CallKind): PlacesErrorReason {
  if (status >= 300 && status < 400) return 'redirected'
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'unavailable'
  if (status === 429) return isDaily(info) ? 'quota_day' : 'quota_minute'
  // The answer comes from a proxy on the way to Google.
  if (!isGoogles) return 'unreadable'
  const named = BY_GOOGLE_REASON[info?.reason ?? '']
  if (named !== undefined) return named
  if (status === 401 || status === 403) return 'refused'
  if (kind === 'search') return 'bad_request'
  return status === 404 ? 'place_obsolete' : 'place_malformed'
}

const BY_GOOGLE_REASON: Readonly<Record<string, PlacesErrorReason>> = {
  API_KEY_INVALID: 'key_invalid',
  SERVICE_DISABLED: 'service_disabled',
  BILLING_DISABLED: 'billing_disabled',
  CONSUMER_SUSPENDED: 'project_suspended',
  API_KEY_SERVICE_BLOCKED: 'key_service_blocked',
  API_KEY_IP_ADDRESS_BLOCKED: 'key_address_blocked',
  API_KEY_HTTP_REFERRER_BLOCKED: 'key_referrer_blocked',
}

/** An enum name of Google, in capitals. Other texts are not logged. */
const enumName = z.string().regex(/^[A-Z\d_]{1,80}$/)

const errorInfo = z.object({
  reason: enumName.optional().catch(undefined),
  metadata: z.object({ quota_unit: z.string(), quota_limit: z.string() }).partial().optional().catch(undefined),
})
type Info = z.infer<typeof errorInfo>

const errorBody = z.object({
  error: z.object({
    status: enumName.optional().catch(undefined),
    details: z.array(errorInfo).default([]).catch([]),
  }),
})

/** `quota_unit` is `1/d/{project}` or `1/min/{project}`. */
function isDaily(info: Info | undefined): boolean {
  const { quota_unit = '', quota_limit = '' } = info?.metadata ?? {}
  return quota_unit.startsWith('1/d/') || /PerDay/i.test(quota_limit)
}

/** Daily quotas are renewed at midnight Pacific time. */
function untilMidnightPacificMs(now: Date): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles')
  return here.startOfDay().add({ days: 1 }).epochMilliseconds - now.getTime()
}
