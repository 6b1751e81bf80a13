import { expect, test } from 'vitest'
import { visibleBlanks } from './visible-blanks.ts'

test.for([
  ['a b', 'a b'],
  [' a  b ', '·a··b·'],
  [' ', '·'],
  ['\ta\r', '→a␍'],
  ['a\u00a0b', 'a⍽b'],
  ['a\u200b\u202eb\u2028', 'a‹U+200B›‹U+202E›b‹U+2028›'],
  ['\u0007\u001b', '‹U+0007›‹U+001B›'],
  ['👩‍👩‍👧‍👦 é', '👩‍👩‍👧‍👦 é'],
])('%j is shown as %s', ([text = '', shown]) => {
  expect(visibleBlanks(text)).toBe(shown)
})
