import { expect, test } from 'vitest'
import { omittedText, recipientsText, settingsText, thresholdText } from './alert-labels.ts'

const people = ['ada', 'grace', 'lena'].map((name) => ({
  id: name,
  email: `${name}@example.com`,
  is_super_admin: true,
}))

const webhooks = ['chat', 'pager'].map((name) => ({ id: name, name }))

test.each([
  [null, [], 'All super admins'],
  [[], [], 'Nobody'],
  [[], ['chat'], '1 webhook'],
  [['grace'], ['gone'], 'grace@example.com'],
  [['grace', 'lena'], ['chat', 'pager'], 'grace@example.com and 1 more, 2 webhooks'],
  [['left'], [], 'All super admins'],
])('the people %j and the webhooks %j are shown as %s', (user_ids, webhook_ids, text) => {
  expect(recipientsText({ user_ids, webhook_ids }, { people, webhooks })).toBe(text)
})

test('a number has its unit', () => {
  expect(thresholdText({ kind: 'refusals_high', threshold: 1_000 })).toBe('1,000 refused calls')
  expect(thresholdText({ kind: 'key_leaked', threshold: null })).toBeNull()
})

test.each([
  [99, 99, null],
  [100, 100, 'The newest 100 alerts. Older ones are not shown.'],
  [100, 1_200, 'The newest 100 of 1,200 open alerts. Older ones show as these are resolved.'],
])('%d listed alerts while %d are open', (count, open, text) => {
  expect(omittedText({ alerts: Array.from({ length: count }), open })).toBe(text)
})

test('the settings are a sentence', () => {
  expect(settingsText({ quiet_hours: null, digest_minutes: 1 })).toBe(
    'One message every minute at most. No quiet hours.',
  )
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }
  expect(settingsText({ quiet_hours, digest_minutes: 5 })).toBe(
    'One message every 5 minutes at most. Quiet hours are from 22:00 to 07:00, Europe/Berlin.',
  )
})
