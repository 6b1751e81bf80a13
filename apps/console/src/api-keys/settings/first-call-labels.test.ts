import { expect, test } from 'vitest'
import { firstCall } from './first-call-labels.ts'

test.for([
  [[], "curl -i http://127.0.0.1:3001/v1/keys/authorize \\\n  -H 'X-Api-Key: sb_live_x'"],
  [
    ['https://*.example.com', 'https://example.com'],
    "curl -i http://127.0.0.1:3001/v1/keys/authorize \\\n  -H 'Origin: https://www.example.com' \\\n  -H 'X-Api-Key: sb_live_x'",
  ],
] as const)('a key that allows %s is sent with an allowed origin', ([origins, command]) => {
  expect(firstCall('http://127.0.0.1:3001', 'sb_live_x', origins)).toBe(command)
})
