import { expect, test } from 'vitest'
import { messageOf } from './webhook-messages.ts'

test('a long sentence is cut for Slack without half a character', () => {
  const message = messageOf('slack', {
    id: 'evt_1',
    type: 'alert.notified',
    at: '2026-11-20T09:30:00.000Z',
    seq: 1,
    actor: { id: null, name: null },
    target: { type: null, id: null, name: null },
    tenant_id: null,
    reason: `${'x'.repeat(2_999)}\u{1f600}`,
    changes: {},
  })
  expect(JSON.parse(message).blocks[0].text.text).toBe(`${'x'.repeat(2_999)}\ufffd`)
  expect(message).not.toMatch(/\\ud83d"/)
})
