import { expect, test } from 'vitest'
import { customFields } from './custom-fields.ts'

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, 'x']))

test.each([
  [{ plan: 'Gold', account_owner: '', line2: 'x'.repeat(500) }, null],
  [fields(50), null],
  [fields(51), 'A tenant can have 50 custom fields.'],
  [{ '': 'x' }, 'A custom field needs a name.'],
  [{ ['x'.repeat(41)]: 'x' }, 'Use at most 40 characters in a name.'],
  [{ plan: 'x'.repeat(501) }, 'Use at most 500 characters.'],
  [{ Plan: 'x' }, 'A name has lower-case letters, digits and "_", and begins with a letter.'],
  [{ '2nd': 'x' }, 'A name has lower-case letters, digits and "_", and begins with a letter.'],
  [{ 'a b': 'x' }, 'A name has lower-case letters, digits and "_", and begins with a letter.'],
  [{ goal: 'x' }, '"goal" is a variable or a word of templates. Choose another name.'],
  [{ empty: 'x' }, '"empty" is a variable or a word of templates. Choose another name.'],
])('%j: %s', (values, problem) => {
  expect(customFields.safeParse(values).error?.issues[0]?.message ?? null).toBe(problem)
})
