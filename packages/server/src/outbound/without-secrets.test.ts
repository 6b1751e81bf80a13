import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

test.for([
  ['Cannot POST /services/T0/B0/abcdefghijkl', ['/services/T0/B0/abcdefghijkl'], 'Cannot POST [secret]'],
  ['no token abcdefghijkl', ['/services/T0/B0/abcdefghijkl'], 'no token [secret]'],
  ['services are away', ['/services/T0/B0/abcdefghijkl'], 'services are away'],
  ['invalid: Bearer abcdefghijkl', ['Bearer abcdefghijkl'], 'invalid: [secret]'],
  ['sig abcdefghijkl is old', ['/workflows?sig=abcdefghijkl&v=1'], 'sig [secret] is old'],
  ['and/or', ['/'], 'and/or'],
  ['ok', [], 'ok'],
] as const)('%s', ([answer, secrets, hidden]) => {
  expect(withoutSecrets(answer, secrets)).toBe(hidden)
})
