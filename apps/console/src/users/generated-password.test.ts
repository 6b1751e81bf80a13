import { expect, test } from 'vitest'
import { generatedPassword } from './generated-password.ts'

test('a generated password has four groups of five characters, without l, o, 0 and 1', () => {
  for (let n = 0; n < 100; n += 1) expect(generatedPassword()).toMatch(/^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/)
})

test('no two generated passwords are equal', () => {
  expect(new Set(Array.from({ length: 100 }, generatedPassword)).size).toBe(100)
})
