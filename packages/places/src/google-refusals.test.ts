import { describe, expect, test } from 'vitest'
import { refusal } from './google-refusals.ts'

/** Half past one at night in Los Angeles. */
const NOW = new Date('2026-11-20T09:30:00.000Z')

const google = (status: string, reason?: string, metadata?: object) => ({
  error: {
    message: 'Some text with AIzaSecret in it',
    status,
    details: [
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
      ...(reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, metadata }]),
    ],
  },
})
const perDay = {
  quota_limit: 'SearchTextRequestPerDayPerProject',
  quota_limit_value: '100',
  quota_unit: '1/d/{project}',
}
const perMinute = { quota_limit: 'defaultPerMinutePerProject', quota_limit_value: '600', quota_unit: '1/min/{project}' }

const cases: [number, unknown, 'search' | 'place', string, string][] = [
  [400, google('INVALID_ARGUMENT', 'API_KEY_INVALID'), 'place', 'key_invalid', 'platform'],
  [400, google('INVALID_ARGUMENT'), 'place', 'place_malformed', 'permanent'],
  [400, google('INVALID_ARGUMENT'), 'search', 'bad_request', 'platform'],
  [404, google('NOT_FOUND'), 'place', 'place_obsolete', 'permanent'],
  [404, google('NOT_FOUND'), 'search', 'bad_request', 'platform'],
  [401, google('UNAUTHENTICATED'), 'place', 'refused', 'platform'],
  [403, google('PERMISSION_DENIED'), 'place', 'refused', 'platform'],
  [403, google('PERMISSION_DENIED', 'SERVICE_DISABLED'), 'place', 'service_disabled', 'platform'],
  [403, google('PERMISSION_DENIED', 'BILLING_DISABLED'), 'search', 'billing_disabled', 'platform'],
  [403, google('PERMISSION_DENIED', 'CONSUMER_SUSPENDED'), 'search', 'project_suspended', 'platform'],
  [403, google('PERMISSION_DENIED', 'API_KEY_SERVICE_BLOCKED'), 'search', 'key_service_blocked', 'platform'],
  [403, google('PERMISSION_DENIED', 'API_KEY_IP_ADDRESS_BLOCKED'), 'place', 'key_address_blocked', 'platform'],
  [403, google('PERMISSION_DENIED', 'API_KEY_HTTP_REFERRER_BLOCKED'), 'place', 'key_referrer_blocked', 'platform'],
  [429, google('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', perMinute), 'place', 'quota_minute', 'transient'],
  [429, google('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', perDay), 'place', 'quota_day', 'later'],
  [
    429,
    google('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', { quota_unit: '1/d/{project}' }),
    'place',
    'quota_day',
    'later',
  ],
  [429, undefined, 'place', 'quota_minute', 'transient'],
  [500, google('INTERNAL'), 'place', 'unavailable', 'transient'],
  [503, google('UNAVAILABLE'), 'place', 'unavailable', 'transient'],
  [503, undefined, 'search', 'unavailable', 'transient'],
  [504, google('DEADLINE_EXCEEDED'), 'place', 'timeout', 'transient'],
  [302, undefined, 'place', 'redirected', 'platform'],
  [404, undefined, 'place', 'unreadable', 'transient'],
  [403, { error: 'no' }, 'place', 'unreadable', 'transient'],
  [204, undefined, 'place', 'unreadable', 'transient'],
]
test.for(cases)('%s %o to a %s is %s, which is %s', ([status, json, call, reason, kind]) => {
  const error = refusal({ status, retryAfter: undefined, json }, call, NOW)
  expect([error.reason, error.kind]).toEqual([reason, kind])
  expect(error.sentence).toMatch(/^[A-Z].*\.$/)
  expect(`${error.message} ${error.sentence}`).not.toContain('AIza')
})

test('a message for the log contains Google’s error name', () => {
  const json = google('PERMISSION_DENIED', 'CONSUMER_INVALID')
  const { message } = refusal({ status: 403, retryAfter: undefined, json }, 'place', NOW)
  expect(message).toBe('refused (HTTP 403 PERMISSION_DENIED CONSUMER_INVALID)')
})

describe('when to try again', () => {
  test('Retry-After says it', () => {
    expect(refusal({ status: 503, retryAfter: '7', json: undefined }, 'place', NOW).retryAfterMs).toBe(7_000)
  })

  const json = google('RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED', perDay)
  const nights: [string, string][] = [
    ['2026-11-20T09:30:00.000Z', '2026-11-21T08:00:00.000Z'],
    ['2026-11-20T07:59:59.000Z', '2026-11-20T08:00:00.000Z'],
    // Clocks go forward, and back.
    ['2026-03-08T09:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['2026-11-01T08:00:00.000Z', '2026-11-02T08:00:00.000Z'],
  ]
  test.for(nights)("a day's quota at %s is renewed at %s", ([now, renewed]) => {
    const { retryAfterMs } = refusal({ status: 429, retryAfter: '1', json }, 'place', new Date(now))
    expect(retryAfterMs).toBe(Date.parse(renewed) - Date.parse(now))
  })
})
