import { expect, test } from 'vitest'
import { contentOf, draftOf, isChanged, textToSave, variableProblems } from './draft.ts'

const base = (template: string) => ({ version: 1, template, declared_variables: {} })

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
  for (const template of ['a\r\nb', 'a\rb', 'a\nb']) expect(isChanged(draftOf(base(template)))).toBe(false)
})

test('a changed default is a change, and rows without a usable name are not saved', () => {
  const draft = draftOf({ ...base('a'), declared_variables: { heat: 'general' } })
  expect(isChanged({ ...draft, variables: [{ name: 'heat', value: 'pricing' }] })).toBe(true)
  const variables = [
    ...draft.variables,
    { name: 'Heat', value: '' },
    { name: '', value: '' },
    { name: 'heat', value: 'x' },
  ]
  expect(variableProblems(variables)).toEqual([
    null,
    expect.stringMatching(/lower-case/),
    null,
    'This name is used above.',
  ])
  expect(contentOf({ ...draft, variables })).toEqual({ template: 'a', declared_variables: { heat: 'general' } })
})
