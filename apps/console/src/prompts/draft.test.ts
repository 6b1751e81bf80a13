import { expect, test } from 'vitest'
import { isChanged, textInBox, textToSave } from './draft.ts'

const base = (template: string) => ({ version: 1, template })

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
