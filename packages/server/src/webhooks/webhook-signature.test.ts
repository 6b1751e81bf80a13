import { expect, test } from 'vitest'
import { isSigned, signatureOf } from './webhook-signature.ts'

// The example of the reference implementations of Standard Webhooks.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' }
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

test('the example of the standard has its signature', () => {
  expect(signatureOf(SECRET, MESSAGE)).toBe(SIGNATURE)
  expect(isSigned([SECRET], MESSAGE, SIGNATURE)).toBe(true)
})

test('one of several signatures and one of two secrets suffice', () => {
  expect(isSigned(['another-secret', SECRET], MESSAGE, `v1a,x v1,wrong ${SIGNATURE}`)).toBe(true)
  expect(isSigned(['another-secret'], MESSAGE, SIGNATURE)).toBe(false)
})

test.for(['', ' ', 'v1,', SIGNATURE.slice(0, -1), SIGNATURE.slice(3), SIGNATURE.replace('v1', 'v2'), `${SIGNATURE}x`])(
  '"%s" is no signature of it',
  (signature) => {
    expect(isSigned([SECRET], MESSAGE, signature)).toBe(false)
  },
)

test('every bit of the body, the id and the time counts', () => {
  const body = Buffer.from(MESSAGE.body)
  for (let bit = 0; bit < body.length * 8; bit += 1) {
    const flipped = Buffer.from(body)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(isSigned([SECRET], { ...MESSAGE, body: flipped }, SIGNATURE)).toBe(false)
  }
  expect(isSigned([SECRET], { ...MESSAGE, id: `${MESSAGE.id}1` }, SIGNATURE)).toBe(false)
  expect(isSigned([SECRET], { ...MESSAGE, timestamp: '1614265331' }, SIGNATURE)).toBe(false)
})
