import { expect, test } from 'vitest'
import { lengthProblem, newPassword } from './passwords.ts'

const EIGHT = 'New password must be at least 8 characters long'
const TWELVE = 'Use at least 12 characters: this account runs the console.'

test.each([
  ['1234567', EIGHT, EIGHT],
  ['12345678', null, TWELVE],
  ['👩‍🚀🙂🙂🙂🙂', EIGHT, EIGHT],
  ['🙂🙂🙂🙂🙂🙂🙂🙂', null, TWELVE],
  ['pass wör', null, TWELVE],
  ['eleven char', null, TWELVE],
  ['twelve chars', null, null],
])('the problem with the length of %s is %s for a tenant, and %s for the console', (password, ofTenant, ofConsole) => {
  expect(lengthProblem(password, 'tenant')).toBe(ofTenant)
  expect(lengthProblem(password, 'console')).toBe(ofConsole)
})

test('a new password is accepted unchanged, up to 256 characters', () => {
  expect(newPassword.parse('  spaces stay  ')).toBe('  spaces stay  ')
  expect(newPassword.safeParse('x'.repeat(256)).success).toBe(true)
  expect(newPassword.safeParse('x'.repeat(257)).error?.issues[0]?.message).toBe('Use at most 256 characters.')
  expect(newPassword.safeParse('seven77').error?.issues[0]?.message).toBe(EIGHT)
})
