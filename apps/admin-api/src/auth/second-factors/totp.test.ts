import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { acceptedStep, newTotpSecret, totpTexts } from './totp.ts'

const totp = new TOTP()
const secret = Buffer.from(totp.secret.bytes)
const at = new Date('2026-11-20T12:00:10.000Z')
const STEP = Math.floor(at.getTime() / 30_000)
const codeOf = (steps: number) => totp.generate({ timestamp: at.getTime() + steps * 30_000 })

test.each([
  [-2, 0, null],
  [-1, 0, STEP - 1],
  [0, 0, STEP],
  [1, 0, STEP + 1],
  [2, 0, null],
  [0, STEP, null],
  [1, STEP, STEP + 1],
  [-1, STEP, null],
])('the code %i steps from now, after the accepted step %i, is accepted as step %s', (steps, lastStep, step) => {
  expect(acceptedStep(secret, { code: codeOf(steps), at, lastStep })).toBe(step)
})

test('a secret is 160 random bits, as base32 and as an address for a QR code', () => {
  const random = newTotpSecret((size) => Buffer.alloc(size, 1))
  const texts = totpTexts(random, { issuer: 'Switchboard', label: 'ada@example.com' })
  expect(texts.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(texts.uri).toBe(
    `otpauth://totp/Switchboard:ada%40example.com?issuer=Switchboard&secret=${texts.secret}&algorithm=SHA1&digits=6&period=30`,
  )
})
