import type { PromptTemplate } from '@switchboard/contract/prompts'
import { expect, test } from 'vitest'
import { isChanged, textInBox, textToSave } from './draft.ts'

const base = (template: string): PromptTemplate => ({
  id: '6f6f1b0e-0000-4000-8000-000000000000',
  prompt_type: 'general',
  version: 1,
  note: '',
  size: 0,
  author_email: null,
  restored_from: null,
  created_at: '2026-11-20T12:00:00.000Z',
  template,
})

const cases: [string, string, string, string][] = [
  ['one line break stays', 'a\nb', 'a\nb!', 'a\nb!'],
  ['those of Windows come back', 'a\r\nb\r\n', 'a\nb!\n', 'a\r\nb!\r\n'],
  ['a mixture becomes plain', 'a\r\nb\nc', 'a\nb\nc!', 'a\nb\nc!'],
  ['without any, new ones are plain', 'a', 'a\nb', 'a\nb'],
]
test.for(cases)('%s', ([, template, text, saved]) => {
  expect(textToSave({ base: base(template), text })).toBe(saved)
})

test('a text that only passed through the textarea is unchanged', () => {
  for (const template of ['a\r\nb', 'a\rb', 'a\nb'])
    expect(isChanged({ base: base(template), text: textInBox(template) })).toBe(false)
})
