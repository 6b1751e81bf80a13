import { makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPasswords } from '@switchboard/sign-in/passwords'
import { attemptAt } from '@switchboard/sign-in/throttle'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const passwords = await createPasswords()
let hashesComputed = 0
let holdVerifying: Promise<unknown> = Promise.resolve()
const api = await startTestApi({
  passwords: {
    ...passwords,
    verify: async (stored, password) => {
      hashesComputed += 1
      await holdVerifying
      return await passwords.verify(stored, password)
    },
  },
})
const { db, clock, minutesLater } = api
const passwordHash = await passwords.hash(PASSWORD)

const login = (email: string, password: string, remoteAddress = '127.0.0.1') =>
  api.app.inject({ method: 'POST', url: '/api/v1/admin/auth/login', payload: { email, password }, remoteAddress })

const attemptsFrom = (address: string, count: number) =>
  db
    .insertInto('sign_in_attempts')
    .values(Array.from({ length: count }, (_, n) => ({ ...attemptAt(`one-of-many-${n}`, address), at: clock.at })))
    .execute()

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  hashesComputed = 0
  holdVerifying = Promise.resolve()
  await db.deleteFrom('sign_in_attempts').execute()
  await db.deleteFrom('sign_in_refusals').execute()
})

describe('the throttle', () => {
  test('computes at most 10 hashes for 100 parallel guesses, then says when to try again', async () => {
    await makeUser(db, { email: 'target@example.com', password_hash: passwordHash })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => login('target@example.com', `guess ${n}`)))

    expect(hashesComputed).toBeLessThanOrEqual(10)
    const refused = answers.filter((one) => one.statusCode === 429)
    expect(refused).toHaveLength(90)
    expect(refused[0]?.headers['retry-after']).toBe('900')
    expect(refused[0]?.json()).toMatchObject({ detail: 'Too many sign-in attempts. Try again in 15 minutes.' })
  })

  test('refuses the right password as well until the window has passed', async () => {
    await makeUser(db, { email: 'patient@example.com', password_hash: passwordHash })
    for (let n = 0; n < 10; n += 1) await login('patient@example.com', 'wrong')

    expect((await login('patient@example.com', PASSWORD)).statusCode).toBe(429)
    clock.at = new Date('2026-11-20T12:14:59.000Z')
    expect((await login('patient@example.com', PASSWORD)).statusCode).toBe(429)
    clock.at = new Date('2026-11-20T12:15:01.000Z')
    expect((await login('patient@example.com', PASSWORD)).statusCode).toBe(200)
  })

  test('of one address leaves the account open to another', async () => {
    await makeUser(db, { email: 'shared@example.com', password_hash: passwordHash })
    for (let n = 0; n < 12; n += 1) await login('shared@example.com', 'wrong', '203.0.113.1')

    expect((await login('shared@example.com', PASSWORD, '203.0.113.1')).statusCode).toBe(429)
    expect((await login('shared@example.com', PASSWORD, '203.0.113.2')).statusCode).toBe(200)
  })

  test('counts the /64 of an IPv6 address as one network, and an IPv4 address in any notation', async () => {
    for (let n = 0; n < 5; n += 1) {
      await login('sixth@example.com', 'wrong', `2001:db8:1:2::${n}`)
      await login('sixth@example.com', 'wrong', `2001:db8:1:2:ffff:${n}::1`)
      await login('fourth@example.com', 'wrong', '203.0.113.4')
      await login('fourth@example.com', 'wrong', '::ffff:203.0.113.4')
    }
    expect((await login('sixth@example.com', 'wrong', '2001:db8:1:2::abcd')).statusCode).toBe(429)
    expect((await login('sixth@example.com', 'wrong', '2001:db8:1:3::abcd')).statusCode).toBe(401)
    expect((await login('fourth@example.com', 'wrong', '203.0.113.4')).statusCode).toBe(429)
  })

  test('of an account holds for strangers at many addresses, not where its owner was signed in', async () => {
    await makeUser(db, { email: 'famous@example.com', password_hash: passwordHash })
    const { access_token } = (await login('famous@example.com', PASSWORD, '2001:db8:7:7::1')).json()
    await api.call({
      method: 'POST',
      url: '/api/v1/admin/auth/logout',
      headers: { authorization: `Bearer ${access_token}` },
    })
    clock.at = new Date('2026-12-20T12:00:00.000Z')
    const failures = Array.from({ length: 99 }, (_, n) => attemptAt('famous@example.com', `198.51.100.${n}`))
    await db
      .insertInto('sign_in_attempts')
      .values(failures.map((one) => ({ ...one, at: clock.at })))
      .execute()
    expect((await login('famous@example.com', 'wrong', '198.51.100.199')).statusCode).toBe(401)
    expect((await login('famous@example.com', PASSWORD, '198.51.100.200')).statusCode).toBe(429)
    expect((await login('famous@example.com', PASSWORD, '2001:db8:7:7::2')).statusCode).toBe(200)

    for (let n = 0; n < 10; n += 1) await login('famous@example.com', 'wrong', '2001:db8:7:7::2')
    expect((await login('famous@example.com', PASSWORD, '2001:db8:7:7::2')).statusCode).toBe(429)
  })

  test('of an account is a hundred failures a day, however slowly strangers guess', async () => {
    await makeUser(db, { email: 'slow@example.com', password_hash: passwordHash })
    // Ten guesses per window, each window from a new address.
    for (let window = 0; window < 9; window += 1) {
      const failures = Array.from({ length: 10 }, () => attemptAt('slow@example.com', `198.51.100.${window}`))
      await db
        .insertInto('sign_in_attempts')
        .values(failures.map((one) => ({ ...one, at: clock.at })))
        .execute()
      minutesLater(16)
    }
    for (let n = 0; n < 10; n += 1) {
      expect((await login('slow@example.com', 'wrong', `198.51.100.${90 + n}`)).statusCode).toBe(401)
    }
    const refused = await login('slow@example.com', PASSWORD, '198.51.100.99')
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { detail: 'Too many sign-in attempts. Try again in 22 hours.' },
    ])
    minutesLater(22 * 60)
    expect((await login('slow@example.com', PASSWORD, '198.51.100.99')).statusCode).toBe(200)
  })

  test('counts failures before a success towards the daily limit', async () => {
    await makeUser(db, { email: 'typist@example.com', password_hash: passwordHash })
    for (let n = 0; n < 3; n += 1) await login('typist@example.com', 'wrong', '203.0.113.30')
    expect((await login('typist@example.com', PASSWORD, '203.0.113.30')).statusCode).toBe(200)
    const failures = Array.from({ length: 96 }, (_, n) => attemptAt('typist@example.com', `198.51.100.${n}`))
    await db
      .insertInto('sign_in_attempts')
      .values(failures.map((one) => ({ ...one, at: clock.at })))
      .execute()
    expect((await login('typist@example.com', 'wrong', '203.0.113.31')).statusCode).toBe(401)
    expect((await login('typist@example.com', PASSWORD, '203.0.113.31')).statusCode).toBe(429)
  })

  test('of one address admits an account on its known networks only', async () => {
    await makeUser(db, { email: 'colleague@example.com', password_hash: passwordHash })
    await makeUser(db, { email: 'newcomer@example.com', password_hash: passwordHash })
    await login('colleague@example.com', PASSWORD, '203.0.113.40')
    await attemptsFrom('203.0.113.40', 100)

    expect((await login('newcomer@example.com', PASSWORD, '203.0.113.40')).statusCode).toBe(429)
    expect((await login('colleague@example.com', PASSWORD, '203.0.113.40')).statusCode).toBe(200)
    for (let n = 0; n < 10; n += 1) await login('colleague@example.com', 'wrong', '203.0.113.40')
    expect((await login('colleague@example.com', PASSWORD, '203.0.113.40')).statusCode).toBe(429)
  })

  test('refuses at once while others have their passwords verified', async () => {
    await makeUser(db, { email: 'busy@example.com', password_hash: passwordHash })
    for (let n = 0; n < 10; n += 1) await login('locked@example.com', 'wrong', '203.0.113.50')
    const verifying = Promise.withResolvers<boolean>()
    holdVerifying = verifying.promise
    const others = Array.from({ length: 20 }, (_, n) => login('busy@example.com', PASSWORD, `198.51.100.${n}`))
    const refused = await login('locked@example.com', 'wrong', '203.0.113.50').finally(() => verifying.resolve(true))
    expect(refused.statusCode).toBe(429)
    expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual(others.map(() => 200))
  })

  test('ignores the forwarded address of an untrusted peer', async () => {
    const guess = (n: number) =>
      api.call({
        method: 'POST',
        url: '/api/v1/admin/auth/login',
        body: { email: 'fooled@example.com', password: 'x' },
        headers: { 'x-forwarded-for': `198.51.100.${n}` },
      })
    for (let n = 0; n < 10; n += 1) await guess(n)
    expect((await guess(99)).statusCode).toBe(429)
  })

  test('stops an address that tries many accounts', async () => {
    for (let n = 0; n < 100; n += 1) await login(`spray-${n}@example.com`, 'x', '203.0.113.9')
    expect((await login('spray-last@example.com', 'x', '203.0.113.9')).statusCode).toBe(429)
  })

  test('is audited once, for any number of refusals', async () => {
    for (let n = 0; n < 15; n += 1) await login('noisy@example.com', 'wrong')
    const rows = await db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .select('reason')
      .where('actor_email', '=', 'noisy@example.com')
      .execute()
    expect(rows.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 10 }, () => 'Invalid email or password'),
      'Too many sign-in attempts. Try again in 15 minutes.',
    ])
  })

  test('audits the refusals of an address at many accounts with two rows: the first refusal, then the number', async () => {
    await attemptsFrom('203.0.113.20', 100)
    for (let n = 0; n < 30; n += 1) await login(`flood-${n}@example.com`, 'x', '203.0.113.20')
    minutesLater(15)
    await login('later@example.com', 'x', '203.0.113.21')

    const rows = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_email', 'reason'])
      .where('address', '=', '203.0.113.20')
      .orderBy('seq')
      .execute()
    expect(rows).toEqual([
      {
        action: 'auth.login',
        actor_email: 'flood-0@example.com',
        reason: 'Too many sign-in attempts. Try again in 15 minutes.',
      },
      {
        action: 'auth.login',
        actor_email: null,
        reason: 'Too many sign-in attempts: 30 were refused within 15 minutes.',
      },
    ])
  })

  test('audits the refusals of the next window again', async () => {
    await attemptsFrom('203.0.113.22', 100)
    for (let n = 0; n < 3; n += 1) await login('again@example.com', 'x', '203.0.113.22')
    minutesLater(16)
    await attemptsFrom('203.0.113.22', 100)
    for (let n = 0; n < 3; n += 1) await login('again@example.com', 'x', '203.0.113.22')

    const rows = await db
      .selectFrom('audit_entries')
      .orderBy('seq')
      .select('reason')
      .where('address', '=', '203.0.113.22')
      .execute()
    expect(rows).toHaveLength(3)
    expect(rows[1]?.reason).toContain('3 were refused')
  })

  test('of one address applies to parallel guesses at many accounts', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, n) => login(`spread-${n}@example.com`, 'x', '203.0.113.77')))
    expect(hashesComputed).toBeLessThanOrEqual(100)
  })

  test('forgets the failures of an account after success', async () => {
    await makeUser(db, { email: 'forgetful@example.com', password_hash: passwordHash })
    for (let n = 0; n < 9; n += 1) await login('forgetful@example.com', 'wrong')
    await login('forgetful@example.com', PASSWORD)
    for (let n = 0; n < 9; n += 1) expect((await login('forgetful@example.com', 'wrong')).statusCode).toBe(401)
  })
})
