import { expect, test } from 'vitest'
import { placeDraft } from './place-draft.ts'

test.for([
  ['Acme Dental, Austin, Texas, United States', ['Acme Dental', 'Austin', 'Texas', 'United States']],
  ['Acme Dental, Berlin, Germany', ['Acme Dental', 'Berlin', '', 'Germany']],
  ['Smith, Jones & Sons, Austin, Texas, United States', ['Smith, Jones & Sons', 'Austin', 'Texas', 'United States']],
  // Split at other places than typed, but the same text.
  ['Smith, Sons, Berlin, Germany', ['Smith', 'Sons', 'Berlin', 'Germany']],
  ['Acme Dental, Germany', ['Harbor', '', '', null]],
  ['Acme Dental in Berlin', ['Harbor', '', '', null]],
  ['Acme Dental, Berlin, Atlantis', ['Harbor', '', '', null]],
  ['', ['Harbor', '', '', null]],
  [undefined, ['Harbor', '', '', null]],
] as const)('"%s" begins with %o', ([query, [tenant_name, city, state, country]]) => {
  const draft = placeDraft(query, 'Harbor')
  expect(draft).toEqual({ tenant_name, city, state, country })
  if (country === null) return
  expect([tenant_name, city, state, country].filter((part) => part !== '').join(', ')).toBe(query)
})
