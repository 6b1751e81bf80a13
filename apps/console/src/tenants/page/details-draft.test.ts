import { expect, test } from 'vitest'
import { detailsErrors, detailsOf, draftOf } from './details-draft.ts'

test('a tenant becomes a draft, and the draft the same details', () => {
  const details = { external_id: 'cus_1', tags: ['pilot', 'tier-1'], custom_fields: { plan: 'Gold', owner: '' } }
  const draft = draftOf(details)
  expect(draft).toEqual({
    external_id: 'cus_1',
    tags: 'pilot, tier-1',
    fields: [
      { name: 'owner', value: '' },
      { name: 'plan', value: 'Gold' },
    ],
  })
  expect(detailsOf(draft)).toEqual(details)
})

test('typed tags are split, and empty rows are left out', () => {
  const fields = [
    { name: ' plan ', value: 'Gold' },
    { name: '', value: '' },
  ]
  expect(detailsOf({ external_id: ' ', tags: 'Pilot tier-1,,pilot', fields })).toEqual({
    external_id: null,
    tags: ['pilot', 'tier-1'],
    custom_fields: { plan: 'Gold' },
  })
  expect(detailsErrors({ external_id: '', tags: 'Pilot', fields })).toEqual({})
})

test('problems are beside their inputs', () => {
  const fields = [
    { name: 'plan', value: 'Gold' },
    { name: 'plan', value: 'Silver' },
    { name: '', value: 'x' },
    { name: 'goal', value: '' },
  ]
  expect(detailsErrors({ external_id: '', tags: 'x'.repeat(41), fields })).toEqual({
    tags: 'Use at most 40 characters in a tag.',
    'fields.1.name': 'This name is used above.',
    'fields.2.name': 'A custom field needs a name.',
    'fields.3.name': '"goal" is a variable or a word of templates. Choose another name.',
  })
})

test('more than 50 fields are refused', () => {
  const fields = Array.from({ length: 51 }, (_, n) => ({ name: `field_${n}`, value: '' }))
  expect(detailsErrors({ external_id: '', tags: '', fields })).toEqual({ '': 'A tenant can have 50 custom fields.' })
})
