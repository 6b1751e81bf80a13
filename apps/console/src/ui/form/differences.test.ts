import { expect, test } from 'vitest'
import { differences } from './differences.ts'

const FIELDS = [
  { label: 'Goal', text: ({ goal }: { goal: string; level: number }) => goal },
  { label: 'Level', text: ({ level }: { goal: string; level: number }) => level.toFixed(1) },
]

test('only the fields with different texts are listed, in the order of the form', () => {
  expect(differences(FIELDS, { goal: 'Theirs', level: 3 }, { goal: '', level: 3.01 })).toEqual([
    { label: 'Goal', theirs: 'Theirs', mine: '' },
  ])
})
