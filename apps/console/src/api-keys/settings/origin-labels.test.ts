import { expect, test } from 'vitest'
import { letInText } from './origin-labels.ts'

test.for([
  [[], 'Accepts calls from any website and from servers.'],
  [['https://a.example'], 'Accepts calls from https://a.example.'],
  [['https://a.example', 'https://b.example'], 'Accepts calls from https://a.example and https://b.example.'],
] as const)('%s: %s', ([origins, text]) => {
  expect(letInText(origins)).toBe(text)
})
