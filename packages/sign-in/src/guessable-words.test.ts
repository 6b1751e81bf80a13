import { expect, test } from 'vitest'
import { guessableWords, localPart, wordIn } from './guessable-words.ts'

test('guessable words have four characters or more, single and joined', () => {
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
])('%s contains the word %s', (password, word) => {
  expect(wordIn(password, ['harbor'])).toBe(word)
})
