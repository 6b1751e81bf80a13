import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { clock, me, login, minutesLater, doneTo, refusedTo } = api
type SignedIn = Awaited<ReturnType<typeof api.signIn>>

beforeEach(() => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
})

describe('own sessions', () => {
  const sessions = '/api/v1/admin/auth/sessions'
  const list = async (who: SignedIn) => (await who.call({ method: 'GET', url: sessions })).json()

  test('are listed with device, address and use, the current one marked, without ended or foreign sessions', async () => {
    await api.signIn()
    const ada = await api.signIn('listed@example.com')
    await login('listed@example.com')
    minutesLater(119)
    const listed = await list(ada)
    expect(listed).toHaveLength(2)
    expect(listed[0]).toEqual({
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

  test('end one by one, audited, but never those of other admins', async () => {
    const ada = await api.signIn('ended@example.com')
    const stranger = await api.signIn()
    const token = (await login('ended@example.com')).json().access_token
    const { id } = (await list(ada)).find((one: { is_current: boolean }) => !one.is_current)

    expect((await stranger.call({ method: 'DELETE', url: `${sessions}/${id}` })).statusCode).toBe(404)
    expect((await refusedTo(stranger.admin.id))[0]).toMatchObject({
      action: 'sessions.end',
      target_type: 'session',
      target_id: id,
    })
    expect((await me(token)).statusCode).toBe(200)
    expect((await ada.call({ method: 'DELETE', url: `${sessions}/${id}` })).statusCode).toBe(204)
    expect((await me(token)).statusCode).toBe(401)
    expect((await ada.call({ method: 'DELETE', url: `${sessions}/${id}` })).statusCode).toBe(404)
    expect((await doneTo(id))[0]).toMatchObject({ action: 'sessions.end', actor_email: 'ended@example.com' })
  })

  test('end except the current one', async () => {
    const ada = await api.signIn('others@example.com')
    const stranger = await api.signIn()
    const tokens = [await login('others@example.com'), await login('others@example.com')].map(
      (answer) => answer.json().access_token,
    )
    expect((await ada.call({ method: 'DELETE', url: sessions })).statusCode).toBe(204)
    for (const token of tokens) expect((await me(token)).statusCode).toBe(401)
    expect((await me(ada.token)).statusCode).toBe(200)
    expect((await me(stranger.token)).statusCode).toBe(200)
    expect((await doneTo(ada.admin.id))[0]).toMatchObject({
      action: 'sessions.end_others',
      changes: { other_sessions: { before: 2, after: 0 } },
    })
  })
})
