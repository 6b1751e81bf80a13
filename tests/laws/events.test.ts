import { actionsOf, event, EVENT_TYPES, eventType } from '@switchboard/contract/signals/events'
import { exampleOf } from '@switchboard/contract/signals/event-examples'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AUDITED_ACTIONS } from './audit/audited-actions.ts'

// What happens is told to programs as an event, or there is a reason why nobody outside needs it.

const OF_ONES = 'Each changed record has an entry of the single call. Only a refused call has this action.'
const OF_VIEWS = 'A view of a list concerns only the people who see it in the console.'
const OF_LINKS = 'The same person and address as in the entry of the first link.'
const OF_REPLAYS = 'The receiver gets the events again.'
/** Audited actions that are no events. */
const NOT_EVENTS: Record<string, string> = {
  'tenants.bulk': OF_ONES,
  'users.bulk': OF_ONES,
  'api_keys.bulk': OF_ONES,
  'tasks.bulk': OF_ONES,
  'runs.bulk': OF_ONES,
  'list_views.create': OF_VIEWS,
  'list_views.update': OF_VIEWS,
  'list_views.delete': OF_VIEWS,
  'invitations.resend': OF_LINKS,
  'email_changes.resend': OF_LINKS,
  'email_changes.cancel': 'The address of the person stays as it is.',
  'auth.confirm': 'The person is signed in already, and confirms a change that has an event.',
  'sign_ins.dismiss': 'Closes a notice that only its owner sees.',
  'mail.test': 'Sends a mail to the person who asks for it.',
  'places.generate_id': 'A look-up changes nothing.',
  'log_sinks.test': 'A test changes nothing.',
  'system.back_up': 'The start of a backup. Its failure is an event.',
  'webhooks.test': 'A test is a delivery to the webhook itself.',
  'webhooks.replay': OF_REPLAYS,
  'webhook_deliveries.replay': OF_REPLAYS,
  'tokens.use': 'Only refusals have this action.',
}

test('every audited action is an event, or has the reason why it is none', () => {
  const actions = [...actionsOf(eventType.options), ...Object.keys(NOT_EVENTS)]
  expect(actions.toSorted()).toEqual([...new Set(AUDITED_ACTIONS)].toSorted())
})

test.for(eventType.options)('%s has an example of its schema, without a secret', (type) => {
  const example = exampleOf(type)
  expect(z.parse(event, example).type).toBe(type)
  const { fields = {}, description } = EVENT_TYPES[type]
  expect(description).toMatch(/\.$/)
  expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/)
  for (const [field, { is_omitted, ...change }] of Object.entries(example.changes)) {
    const schema = fields[field]
    expect(schema === undefined).toBe(is_omitted === true)
    if (schema !== undefined) z.parse(z.object({ before: z.nullable(schema), after: z.nullable(schema) }), change)
  }
  expect(JSON.stringify(example)).not.toMatch(/sb_(live|test|svc|admin)_|password":\{"before":"/)
})
