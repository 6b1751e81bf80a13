import { attemptAt } from '@switchboard/sign-in/throttle'
import type { Attempt } from '@switchboard/sign-in/throttle.queries'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestPortal } from '#src/testing/test-portal.ts'

const { db, clock, hashing, tenant, key, verify, change, makeMember, lastSignIn } = await startTestPortal()
const otherTenant = await makeTenant(db)
const otherKey = await makeApiKey(db, { tenant_id: otherTenant.id })

describe('the throttle', () => {
  const insertAttempts = (attempts: Attempt[]) =>
    db
      .insertInto('sign_in_attempts')
      .values(attempts.map((attempt) => ({ ...attempt, at: clock.at })))
      .execute()
  const fail = async (times: number, sent: Parameters<typeof verify>[0], from = key) => {
    for (let n = 0; n < times; n += 1) await verify({ ...sent, password: 'wrong' }, from)
  }

  test('refuses the eleventh failure of a user from one client address, and no other address', async () => {
    const { email } = await makeMember()
    await fail(10, { email, client_address: '203.0.113.1' })
    const answer = await verify({ email, client_address: '203.0.113.1' })
    expect([answer.statusCode, answer.json().detail]).toEqual([
      429,
      'Too many sign-in attempts. Try again in 15 minutes.',
    ])
    expect(answer.headers['retry-after']).toBe('900')
    expect(hashing.verified).toBe(10)
    expect((await verify({ email, client_address: '203.0.113.2' })).statusCode).toBe(200)
  })

  test('counts an unknown user as a known one', async () => {
    await fail(10, { email: 'nobody@example.com' })
    expect((await verify({ email: 'nobody@example.com' })).statusCode).toBe(429)
  })

  test('counts both calls together', async () => {
    const { email } = await makeMember()
    for (let n = 0; n < 10; n += 1) await change({ email, password: 'wrong' })
    expect((await verify({ email })).statusCode).toBe(429)
    expect((await change({ email })).statusCode).toBe(429)
  })

  test('of one tenant refuses no user of another', async () => {
    const { email } = await makeMember({ tenant_id: otherTenant.id })
    await fail(10, { email })
    await insertAttempts(Array.from({ length: 90 }, (_, n) => attemptAt(`${n}@example.com`, '192.0.2.1', tenant.id)))
    expect((await verify({ email: 'nobody@example.com' })).statusCode).toBe(429)
    expect((await verify({ email }, otherKey)).statusCode).toBe(200)
  })

  test('lets a user in from a network of an earlier sign-in, after a day of failures elsewhere', async () => {
    const { email } = await makeMember()
    await verify({ email, client_address: '198.51.100.9' })
    await insertAttempts(Array.from({ length: 100 }, (_, n) => attemptAt(email, `203.0.113.${n}`, tenant.id)))
    expect((await verify({ email, client_address: '203.0.113.200' })).statusCode).toBe(429)
    expect((await verify({ email, client_address: '198.51.100.9' })).statusCode).toBe(200)
  })

  test('records its first refusal at once and their number at the end of the window, with the tenant', async () => {
    const { email } = await makeMember()
    await fail(13, { email, client_address: '2001:db8::1' })
    expect(await lastSignIn()).toMatchObject({ outcome: 'refused', tenant_id: tenant.id, address: '2001:db8::1' })
    clock.at = new Date('2026-11-20T12:16:00.000Z')
    await verify({ email: 'nobody@example.com' })
    const counted = await db
      .selectFrom('portal_sign_ins')
      .selectAll()
      .where('reason', 'like', '%3 were refused%')
      .execute()
    expect(counted).toMatchObject([{ tenant_id: tenant.id, address: '2001:db8::/64', user_id: null, email: null }])
  })

  test('refuses a client address that is not an IP address', async () => {
    const answer = await verify({ email: 'jo@example.com', client_address: 'somewhere' })
    expect([answer.statusCode, answer.json().detail[0].msg]).toEqual([422, 'Send an IPv4 or IPv6 address.'])
  })
})
