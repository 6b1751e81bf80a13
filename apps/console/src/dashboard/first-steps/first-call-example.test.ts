import { expect, test } from 'vitest'
import { firstCallExample } from './first-call-example.ts'

test.each([
  [null, "curl -i http://127.0.0.1:3001/v1/keys/authorize \\\n  -H 'X-Api-Key: sb_live_AbCd…wXyZ'"],
  [
    'https://shop.example.com',
    "curl -i http://127.0.0.1:3001/v1/keys/authorize \\\n  -H 'Origin: https://shop.example.com' \\\n  -H 'X-Api-Key: sb_live_AbCd…wXyZ'",
  ],
  [
    'https://*.example.com',
    "curl -i http://127.0.0.1:3001/v1/keys/authorize \\\n  -H 'Origin: https://www.example.com' \\\n  -H 'X-Api-Key: sb_live_AbCd…wXyZ'",
  ],
])('for a key that allows %s, the example names an allowed origin', (origin, command) => {
  expect(firstCallExample('http://127.0.0.1:3001', { secret: 'sb_live_AbCd…wXyZ', allowedOrigin: origin })).toBe(
    command,
  )
})
