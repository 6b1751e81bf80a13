import { expect, test } from 'vitest'
import { tags, tagsIn } from './tags.ts'

test.each([
  ['', []],
  ['  ,, ', []],
  ['Pilot, tier-1\tpilot', ['pilot', 'tier-1']],
])('the tags in %j are %j', (text, expected) => {
  expect(tagsIn(text)).toEqual(expected)
})

const twenty = Array.from({ length: 20 }, (_, n) => `tag-${n}`)
test.each([
  [twenty, null],
  [[...twenty, 'more'], 'A tenant can have 20 tags.'],
  [['a b'], 'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.'],
  [['a,b'], 'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.'],
  [['-a'], 'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.'],
  [["o'neill"], 'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.'],
  [['größe.v2_b-1'], null],
  [[''], 'A tag has letters, digits, "-", "_" and ".", and begins with a letter or a digit.'],
  [['Pilot'], 'A tag is in lower case.'],
  [['pilot', 'pilot'], 'Each tag can be set once.'],
  [['x'.repeat(41)], 'Use at most 40 characters in a tag.'],
])('%j: %s', (values, problem) => {
  expect(tags.safeParse(values).error?.issues[0]?.message ?? null).toBe(problem)
})
