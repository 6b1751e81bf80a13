import { KNOWN_DEVICE_DAYS, NEW_SIGN_INS_SHOWN, SIGN_INS_LISTED } from '@switchboard/contract/auth/sign-ins'
import { makeUser } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const URL = '/api/v1/admin/auth/sign-ins'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36'
const HOME = '203.0.113.4'
const OFFICE = '198.51.100.7'
const passwordHash = await api.deps.passwords.hash(PASSWORD)

/** An account and its sign-ins. */
async function makeAccount() {
  const { id, email } = await makeUser(api.db, { role: 'super_admin', password_hash: passwordHash })
  const login = (remoteAddress: string, userAgent: string, password = PASSWORD) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/admin/auth/login',
      payload: { email, password },
      headers: { 'user-agent': userAgent },
      remoteAddress,
    })
  /** A session from there: its own list of new sign-ins and its calls. */
  const signIn = async (address: string, userAgent: string) => {
    const token: string = (await login(address, userAgent)).json().access_token
    const call = (method: 'GET' | 'DELETE', url: string) =>
      api.call({ method, url, headers: { authorization: `Bearer ${token}` } })
    return { call, news: async () => (await call('GET', `${URL}/new`)).json() }
  }
  return { id, login, signIn }
}

describe('a sign-in', () => {
  test('is the first of the account: no notice', async () => {
    const { signIn } = await makeAccount()
    await signIn(HOME, FIREFOX)
    expect(await (await signIn(HOME, FIREFOX)).news()).toEqual([])
  })

  test.for([
    ['a new network', OFFICE, FIREFOX, 'Firefox on Linux'],
    ['a new browser', HOME, CHROME, 'Chrome on Windows'],
  ] as const)('from %s is told to the other sessions and not to its own', async ([, address, userAgent, device]) => {
    const { signIn } = await makeAccount()
    const first = await signIn(HOME, FIREFOX)
    api.minutesLater(1)
    const at = api.clock.at.toISOString()
    const second = await signIn(address, userAgent)
    expect(await first.news()).toEqual([
      { id: expect.any(String), at, address, device, mail_state: null, mail_problem: null },
    ])
    expect(await second.news()).toEqual([])
    expect(await (await signIn(address, userAgent)).news()).toHaveLength(1)
  })

  test('from a known network with a known browser is not a new one', async () => {
    const { signIn } = await makeAccount()
    const first = await signIn(HOME, FIREFOX)
    await signIn(OFFICE, CHROME)
    const [notice] = await first.news()
    await first.call('DELETE', `${URL}/new/${notice.id}`)
    await signIn(OFFICE, FIREFOX)
    await signIn(HOME, CHROME)
    expect(await first.news()).toEqual([])
  })

  test('from another address of a /64 network is not a new one', async () => {
    const { signIn } = await makeAccount()
    const first = await signIn('2001:db8:1:2::5', FIREFOX)
    await signIn('2001:db8:1:2:9::1', FIREFOX)
    expect(await first.news()).toEqual([])
  })

  test('after the time of a known device is a new one', async () => {
    const { signIn } = await makeAccount()
    await signIn(HOME, FIREFOX)
    await signIn(OFFICE, FIREFOX)
    api.minutesLater(KNOWN_DEVICE_DAYS * 24 * 60 + 1)
    await signIn(OFFICE, FIREFOX)
    expect(await (await signIn(OFFICE, FIREFOX)).news()).toMatchObject([{ address: OFFICE }])
  })

  test('that was refused makes no device known', async () => {
    const { id, login } = await makeAccount()
    await login(HOME, FIREFOX, 'wrong')
    const devices = await api.db.selectFrom('known_devices').select('device').where('user_id', '=', id).execute()
    expect(devices).toEqual([])
  })
})

describe('a notice', () => {
  test('is dismissed for all sessions, once, and audited', async () => {
    const { id, signIn } = await makeAccount()
    const first = await signIn(HOME, FIREFOX)
    const second = await signIn(OFFICE, FIREFOX)
    const [notice] = await first.news()
    expect((await second.call('DELETE', `${URL}/new/${notice.id}`)).statusCode).toBe(404)
    expect((await first.call('DELETE', `${URL}/new/${notice.id}`)).statusCode).toBe(204)
    expect((await first.call('DELETE', `${URL}/new/${notice.id}`)).statusCode).toBe(404)
    expect(await first.news()).toEqual([])
    expect(await api.doneTo(id)).toMatchObject([{ action: 'sign_ins.dismiss' }])
  })

  test('of another account is a 404', async () => {
    const one = await makeAccount()
    const first = await one.signIn(HOME, FIREFOX)
    await one.signIn(OFFICE, FIREFOX)
    const [notice] = await first.news()
    const stranger = await (await makeAccount()).signIn(HOME, FIREFOX)
    expect((await stranger.call('DELETE', `${URL}/new/${notice.id}`)).statusCode).toBe(404)
    expect(await first.news()).toHaveLength(1)
  })

  test('is one of the newest, when there are many', async () => {
    const { signIn } = await makeAccount()
    const first = await signIn(HOME, FIREFOX)
    for (let n = 1; n < 6; n += 1) {
      api.minutesLater(1)
      await signIn(`192.0.2.${n}`, FIREFOX)
    }
    const addresses = (await first.news()).map(({ address }: { address: string }) => address)
    expect(addresses).toEqual(['192.0.2.5', '192.0.2.4', '192.0.2.3'].slice(0, NEW_SIGN_INS_SHOWN))
  })
})

describe('the recent sign-ins', () => {
  test('are those of the caller, successful and refused, with device and method', async () => {
    const { login, signIn } = await makeAccount()
    await login(OFFICE, CHROME, 'wrong')
    const { call } = await signIn(HOME, FIREFOX)
    await (await makeAccount()).login(OFFICE, CHROME, 'wrong')
    const at = api.clock.at.toISOString()
    expect((await call('GET', URL)).json()).toEqual([
      {
        seq: expect.any(Number),
        at,
        outcome: 'done',
        reason: null,
        address: HOME,
        device: 'Firefox on Linux',
        method: 'password',
      },
      {
        seq: expect.any(Number),
        at,
        outcome: 'refused',
        reason: 'Invalid email or password',
        address: OFFICE,
        device: 'Chrome on Windows',
        method: 'password',
      },
    ])
  })

  test('are limited, newest first, with the first refusal of the throttle', async () => {
    const { login, signIn } = await makeAccount()
    for (let n = 0; n < 12; n += 1) await login(OFFICE, CHROME, 'wrong')
    for (let n = 0; n < SIGN_INS_LISTED - 2; n += 1) await signIn(HOME, FIREFOX)
    const { call } = await signIn(HOME, FIREFOX)
    const rows = (await call('GET', URL)).json()
    expect(rows).toHaveLength(SIGN_INS_LISTED)
    expect(rows.at(-1)).toMatchObject({ outcome: 'refused', device: null, method: null })
  })
})
