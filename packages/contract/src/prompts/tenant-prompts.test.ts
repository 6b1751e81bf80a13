import { expect, test } from 'vitest'
import { promptText } from './tenant-prompts.ts'

test.each([
  ['Be kind.\n', '', 'Be kind.\n'],
  ['Be kind.', 'Say hello.', 'Be kind.\n\nSay hello.'],
  ['Be kind.\n\n\n', 'Say hello.\n', 'Be kind.\n\nSay hello.\n'],
])('%j and the addendum %j are %j', (template, addendum, text) => {
  expect(promptText(template, addendum)).toBe(text)
})
