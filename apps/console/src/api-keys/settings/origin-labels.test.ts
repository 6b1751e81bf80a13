import { expect, test } from 'vitest'
import { callersText } from './origin-labels.ts'

test.for([
  [[], /^Without origins, every website and every program can call/],
  [['https://a.example'], /^Calls must come from this origin\. .* a program has to send it in the Origin header\.$/],
  [['https://a.example', 'https://b.example'], /^Calls must come from one of these origins\./],
] as const)('%s: %s', ([origins, text]) => {
  expect(callersText(origins)).toMatch(text)
})
