import { makeAdmin } from '@switchboard/database/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const url = '/api/v1/admin/auth/profile'
const NEW_PASSWORD = 'seven sisters walk at dusk'
type SignedIn = Awaited<ReturnType<typeof api.signIn>>

const put = (who: SignedIn, body: object) => who.call({ method: 'PUT', url, body })
const me = (token: string) =>
  api.call({ method: 'GET', url: '/api/v1/admin/auth/me', headers: { authorization: `Bearer ${token}` } })
const login = (email: string, password = PASSWORD) =>
  api.call({ method: 'POST', url: '/api/v1/admin/auth/login', body: { email, password } })
const auditOf = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('target_id', '=', id).where('outcome', '=', 'done').execute()
const minutesLater = (minutes: number) => (clock.at = new Date(clock.at.getTime() + minutes * 60_000))

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  await db.deleteFrom('sign_in_attempts').execute()
})

describe('changing the e-mail address', () => {
  test('soon after signing in needs no password, answers the admin and is audited', async () => {
    const ada = await api.signIn('ada@example.com')
    minutesLater(15)
    const answer = await put(ada, { email: ' Ada.L@example.com ' })

    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        id: ada.admin.id,
        email: 'Ada.L@example.com',
        role: 'super_admin',
        is_active: true,
        created_at: ada.admin.created_at,
      },
    ])
    expect((await me(ada.token)).json().email).toBe('Ada.L@example.com')
    expect((await auditOf(ada.admin.id))[0]).toMatchObject({
      action: 'auth.profile',
      changes: { email: { before: 'ada@example.com', after: 'Ada.L@example.com' } },
    })
  })

  test('later needs the password, names the field, and takes the right one alone', async () => {
    const ada = await api.signIn()
    minutesLater(16)
    const asked = await put(ada, { email: 'later@example.com' })
    expect(asked.statusCode).toBe(422)
    expect(asked.json().detail[0].loc).toEqual(['body', 'current_password'])
    const wrong = await put(ada, { email: 'later@example.com', current_password: 'wrong' })
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { detail: 'Current password is incorrect' }])
    expect((await put(ada, { email: 'later@example.com', current_password: PASSWORD })).statusCode).toBe(200)
  })

  test('to a taken one is 409 with a sentence, to no address is 422', async () => {
    const ada = await api.signIn()
    await makeAdmin(db, { email: 'taken@example.com' })
    const answer = await put(ada, { email: 'TAKEN@example.com' })
    expect([answer.statusCode, answer.json()]).toEqual([409, { detail: 'This e-mail address is already in use.' }])
    expect((await put(ada, { email: '' })).statusCode).toBe(422)
  })

  test('to the one it is changes and audits nothing', async () => {
    const ada = await api.signIn('same@example.com')
    expect((await put(ada, { email: 'same@example.com' })).statusCode).toBe(200)
    expect(await auditOf(ada.admin.id)).toEqual([])
  })
})

describe('changing the password', () => {
  test('keeps this session, ends all others, and the new one signs in', async () => {
    const ada = await api.signIn('changed@example.com')
    const other = (await login('changed@example.com')).json().access_token
    const answer = await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })

    expect(answer.statusCode).toBe(200)
    expect((await me(ada.token)).statusCode).toBe(200)
    expect((await me(other)).statusCode).toBe(401)
    expect((await login('changed@example.com')).statusCode).toBe(401)
    expect((await login('changed@example.com', NEW_PASSWORD)).statusCode).toBe(200)
  })

  test('is audited without password or hash', async () => {
    const ada = await api.signIn()
    await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })
    expect((await auditOf(ada.admin.id))[0]?.changes).toEqual({ password: { before: '•••', after: '•••' } })
    const everything = JSON.stringify(await db.selectFrom('audit_log').selectAll().execute()) + api.logLines.join('')
    expect(everything).not.toMatch(/argon2|seven sisters|correct horse/)
  })

  test('with a wrong current one is 400, audited, and throttled like a sign-in', async () => {
    const ada = await api.signIn('guessed@example.com')
    const guess = () => put(ada, { current_password: 'wrong', new_password: NEW_PASSWORD })
    const answers = await Promise.all(Array.from({ length: 20 }, guess))
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(10)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0]?.headers['retry-after']).toBe('900')
    expect((await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD })).statusCode).toBe(429)
    const reasons = await db
      .selectFrom('audit_log')
      .select('reason')
      .where('actor_id', '=', ada.admin.id)
      .where('outcome', '=', 'refused')
      .execute()
    expect(reasons).toContainEqual({ reason: 'Current password is incorrect' })
  })

  const refused: [string, object, string, string | RegExp][] = [
    ['too short', { new_password: 'kN8!vt2' }, 'new_password', 'New password must be at least 8 characters long'],
    ['too long', { new_password: 'x'.repeat(257) }, 'new_password', 'Use at most 256 characters.'],
    ['common', { new_password: 'Trustno1' }, 'new_password', /too common/],
    ['the product', { new_password: 'my switchboard 7' }, 'new_password', /“switchboard”/],
    ['the address', { new_password: 'lovelace-1815' }, 'new_password', /“lovelace”/],
    ['without the current one', { current_password: undefined }, 'current_password', 'All fields are required'],
  ]
  test.for(refused)('%s names the field and the reason', async ([, fields, field, reason]) => {
    const ada = await api.signIn(`${crypto.randomUUID()}.lovelace@example.com`)
    const answer = await put(ada, { current_password: PASSWORD, new_password: NEW_PASSWORD, ...fields })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail[0]).toMatchObject({ loc: ['body', field], msg: expect.stringMatching(reason) })
  })

  test.for([
    {},
    { email: 'both@example.com', current_password: PASSWORD, new_password: NEW_PASSWORD },
    { email: 'x@example.com', role: 'user' },
    { email: 'x@example.com', is_active: false },
  ])('the body %j is refused', async (body) => {
    expect((await put(await api.signIn(), body)).statusCode).toBe(422)
  })
})

describe('own sessions', () => {
  const sessions = '/api/v1/admin/auth/sessions'
  const list = async (who: SignedIn) => (await who.call({ method: 'GET', url: sessions })).json()

  test('are listed with device, address and use, this one marked, nobody else’s and no dead ones', async () => {
    await api.signIn()
    const ada = await api.signIn('listed@example.com')
    await login('listed@example.com')
    minutesLater(119)
    const asked = await list(ada)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toEqual({
      id: expect.any(String),
      is_current: true,
      address: '127.0.0.1',
      user_agent: 'lightMyRequest',
      created_at: '2026-11-20T12:00:00.000Z',
      last_seen_at: clock.at.toISOString(),
    })
    minutesLater(2)
    expect(await list(ada)).toHaveLength(1)
  })

  test('end one by one, audited, and never somebody else’s', async () => {
    const ada = await api.signIn('ended@example.com')
    const stranger = await api.signIn()
    const token = (await login('ended@example.com')).json().access_token
    const { id } = (await list(ada)).find((one: { is_current: boolean }) => !one.is_current)

    expect((await stranger.call({ method: 'DELETE', url: `${sessions}/${id}` })).statusCode).toBe(404)
    expect((await me(token)).statusCode).toBe(200)
    expect((await ada.call({ method: 'DELETE', url: `${sessions}/${id}` })).statusCode).toBe(204)
    expect((await me(token)).statusCode).toBe(401)
    expect((await ada.call({ method: 'DELETE', url: `${sessions}/${id}` })).statusCode).toBe(404)
    expect((await auditOf(id))[0]).toMatchObject({ action: 'auth.endSession', actor_email: 'ended@example.com' })
  })

  test('end all but this one', async () => {
    const ada = await api.signIn('others@example.com')
    const stranger = await api.signIn()
    const tokens = [await login('others@example.com'), await login('others@example.com')].map(
      (answer) => answer.json().access_token,
    )
    expect((await ada.call({ method: 'DELETE', url: sessions })).statusCode).toBe(204)
    for (const token of tokens) expect((await me(token)).statusCode).toBe(401)
    expect((await me(ada.token)).statusCode).toBe(200)
    expect((await me(stranger.token)).statusCode).toBe(200)
    expect((await auditOf(ada.admin.id))[0]).toMatchObject({
      action: 'auth.endOtherSessions',
      changes: { other_sessions: { before: 2, after: 0 } },
    })
  })
})
