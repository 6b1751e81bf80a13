import { expect, test } from 'vitest'
import { guessableWords, isPattern, isTooShort, localPart, newPassword, passwordStrength, wordIn } from './passwords.ts'

test.each([
  ['1234567', true],
  ['12345678', false],
  ['👩‍🚀🙂🙂🙂🙂', true],
  ['🙂🙂🙂🙂🙂🙂🙂🙂', false],
  ['pass wör', false],
])('%s is too short: %s', (password, isShort) => {
  expect(isTooShort(password)).toBe(isShort)
})

test('a new password is taken as it is, up to 256 characters', () => {
  expect(newPassword.parse('  spaces stay  ')).toBe('  spaces stay  ')
  expect(newPassword.safeParse('x'.repeat(256)).success).toBe(true)
  expect(newPassword.safeParse('x'.repeat(257)).error?.issues[0]?.message).toBe('Use at most 256 characters.')
  expect(newPassword.safeParse('seven77').error?.issues[0]?.message).toBe(
    'New password must be at least 8 characters long',
  )
})

test('guessable words are those of four characters or more, each and run together', () => {
  expect(guessableWords('Harbor Dental & Co', 'harbor-dental', 'a.b')).toEqual([
    'harbor',
    'dental',
    'harbordentalco',
    'harbordental',
  ])
  expect(guessableWords('Åland مرحبا')).toEqual(['åland', 'مرحبا', 'ålandمرحبا'])
})

test.each([
  ['ada.lovelace@example.com', 'ada.lovelace'],
  ['"a@b"@example.com', '"a@b"'],
  ['no address', ''],
])('the local part of %s is %s', (email, part) => {
  expect(localPart(email)).toBe(part)
})

test.each([
  ['MyHarbor2026', 'harbor'],
  ['h-a-r-b-o-r 1', 'harbor'],
  ['harpoon-2026', undefined],
])('in %s stands %s', (password, word) => {
  expect(wordIn(password, ['harbor'])).toBe(word)
})

test.each([
  ['00000000', true],
  ['abcabcabc', true],
  ['12341234', true],
  ['23456789', true],
  ['hgfedcba', true],
  ['correct horse', false],
  ['abcabcabd', false],
])('%s is a pattern: %s', (password, is) => {
  expect(isPattern(password)).toBe(is)
})

test.each([
  ['short', 'too short'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['my harbor is a nice place to be', 'weak'],
  ['trombone', 'weak'],
  ['trombone-owl', 'fair'],
  ['kN8!vt2#Qz', 'fair'],
  ['correct horse battery staple', 'strong'],
] as const)('%s is %s', (password, strength) => {
  expect(passwordStrength(password, ['harbor'])).toBe(strength)
})
