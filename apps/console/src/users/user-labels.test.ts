import { expect, test } from 'vitest'
import { toggledText, undoneText } from './user-labels.ts'

const email = 'jo@example.com'

test.each([
  [true, 0, 'jo@example.com was activated and can sign in again.', 'jo@example.com is active again.'],
  [false, 0, 'jo@example.com was deactivated and cannot sign in.', 'jo@example.com is inactive again.'],
  [false, 1, 'jo@example.com was deactivated and signed out of 1 device.', 'jo@example.com is inactive again.'],
  [false, 2, 'jo@example.com was deactivated and signed out of 2 devices.', 'jo@example.com is inactive again.'],
])('a user set to active: %o with %i ended sessions', (is_active, ended, done, undone) => {
  expect(toggledText({ email, is_active }, ended)).toBe(done)
  expect(undoneText({ email, is_active }, ended)).toBe(undone)
})

test('after the undo of a deactivation, ended sessions stay ended', () => {
  expect(undoneText({ email, is_active: true }, 2)).toBe('jo@example.com is active again and has to sign in again.')
})
