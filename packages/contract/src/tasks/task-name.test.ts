import { expect, test } from 'vitest'
import { placeLabel, taskName } from './task-name.ts'

const ID = 'ChIJN1t_tDeuEmsRUsoyG83frY4'
test.each([
  [
    { place_name: 'Corner Bakery', place_address: '12 High St, Springfield, IL 62701, USA' },
    'Corner Bakery, 12 High St',
  ],
  [{ place_name: 'Corner Bakery' }, 'Corner Bakery'],
  [{ place_name: 'High Street', place_address: 'High Street, Springfield' }, 'High Street'],
  [{ place_name: '', place_address: '12 High St' }, 'ChIJN1…83frY4'],
  [{}, 'ChIJN1…83frY4'],
])('%j is "%s"', (place, label) => {
  expect(placeLabel({ place_id: ID, ...place })).toBe(label)
})

test('a short id is whole', () => {
  expect(placeLabel({ place_id: 'ChIJobsolete' })).toBe('ChIJobsolete')
})

test.each([
  [{ place_name: 'Corner Bakery', place_address: '12 High St, Springfield' }, 'Corner Bakery, 12 High St for Harbor'],
  [{ place_name: 'Harbor', place_address: '12 High St, Springfield' }, 'Harbor, 12 High St'],
  [{ place_name: 'Harbor' }, 'Harbor'],
])('the task of %j names the tenant once', (place, name) => {
  expect(taskName({ extra_data: { place_id: ID, ...place }, tenant_name: 'Harbor' })).toBe(name)
})
