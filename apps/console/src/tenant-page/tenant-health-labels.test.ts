import { expect, test } from 'vitest'
import { healthOf } from './tenant-health-labels.ts'

const now = new Date('2026-11-20T12:00:00').getTime()
const calls = { working_key_count: 0, used_key_count: 0, inactive_since: null, refused_since: 0 }
const since = '2026-11-17T12:00:00.000Z'

test.each([
  ['active', 3, { working_key_count: 3, used_key_count: 2 }, 'ok', '2 of 3 working keys accepted in the last hour'],
  ['active', 4, { working_key_count: 1, used_key_count: 1 }, 'ok', '1 of 1 working key accepted in the last hour'],
  ['active', 3, { working_key_count: 3 }, 'quiet', 'None of 3 working keys accepted in the last hour'],
  ['active', 0, {}, 'quiet', 'No API key yet'],
  ['active', 2, {}, 'bad', 'None of 2 keys works: all calls refused'],
  ['inactive', 2, { inactive_since: since, refused_since: 760 }, 'bad', 'Inactive since Nov 17: 760 calls refused'],
  ['inactive', 2, { inactive_since: since, refused_since: 1 }, 'bad', 'Inactive since Nov 17: 1 call refused'],
  ['inactive', 2, {}, 'bad', 'Inactive: all calls refused'],
] as const)('%s with %i keys and %j: %s, %s', (status, api_key_count, some, tone, text) => {
  expect(healthOf({ status, api_key_count }, { ...calls, ...some }, now)).toEqual({ tone, text })
})
