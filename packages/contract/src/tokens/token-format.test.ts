import { expect, test } from 'vitest'
import { keyCheck } from '#src/api-keys/key-format.ts'
import { isWellFormedToken } from './token-format.ts'

const BODY = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789aBcD'
const TOKEN = `sb_svc_${BODY}${keyCheck(BODY)}`

test.for([
  [TOKEN, true],
  [TOKEN.replace('AbCd', 'AbCe'), false],
  [TOKEN.replace('sb_svc_', 'sb_live_'), false],
  [TOKEN.slice(0, -1), false],
  [`${TOKEN}0`, false],
  [` ${TOKEN}`, false],
  ['', false],
] as const)('%s is a well-formed service token: %s', ([text, isWellFormed]) => {
  expect(isWellFormedToken(text)).toBe(isWellFormed)
})
