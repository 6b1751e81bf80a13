import { LINK_REFUSED } from '@switchboard/contract/links'
import { makeApiKey, makeTenant, makeUserInvitation } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { NEW_PASSWORD, startTestPortal } from '#src/testing/test-portal.ts'

const portal = await startTestPortal()
const { db, clock, hashing, tenant, key, accept, verify, makeMember, rowOf, lastAudited, lastSignIn } = portal
const REFUSED = JSON.stringify({ detail: LINK_REFUSED, code: 'unauthorized' })

let tokens = 0
/** A user with an invitation, and its token. */
async function invite(
  fields: Parameters<typeof makeMember>[0] = {},
  expires_at = new Date(clock.at.getTime() + 3_600_000),
) {
  const user = await makeMember({ password_hash: 'none', must_change_password: true, ...fields })
  const token = `token-${(tokens += 1)}`
  await makeUserInvitation(db, user, token, { expires_at })
  return { user, token }
}
const linksOf = (id: string) => db.selectFrom('links').select('id').where('user_id', '=', id).execute()

describe('accepting an invitation', () => {
  test('sets the password, signs the user in, and is audited without token and password', async () => {
    const { user, token } = await invite({ name: 'Jo Farrow' })
    const answer = await accept({ token, client_address: '203.0.113.7' })
    const { id, email } = user
    expect([answer.statusCode, answer.json(), answer.headers['cache-control']]).toEqual([
      200,
      { user: { id, email, name: 'Jo Farrow', role: 'manager', must_change_password: false } },
      'no-store',
    ])
    expect(await rowOf(id)).toMatchObject({ must_change_password: false, last_sign_in_at: clock.at.toISOString() })
    expect(await lastSignIn()).toMatchObject({ outcome: 'done', user_id: id, email, address: '203.0.113.7' })
    expect(await lastAudited()).toMatchObject({
      action: 'users.accept_invitation',
      outcome: 'done',
      actor_id: id,
      target_id: id,
      tenant_id: tenant.id,
      changes: {
        password: { before: '•••', after: '•••' },
        must_change_password: { before: true, after: false },
        api_key_id: { before: null, after: key.id },
      },
      address: '203.0.113.7',
    })
    expect((await verify({ email, password: NEW_PASSWORD })).statusCode).toBe(200)
    expect(await db.selectFrom('sign_in_attempts').selectAll().execute()).toEqual([])
  })

  test('works once, also for eight calls at once', async () => {
    const { user, token } = await invite()
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept({ token })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body === REFUSED)).toHaveLength(7)
    expect((await accept({ token })).body).toBe(REFUSED)
    expect(await linksOf(user.id)).toEqual([])
  })

  test('answers every unusable link alike, and records a refused sign-in', async () => {
    const other = await makeTenant(db)
    const asleep = await makeTenant(db, { status: 'inactive' })
    const sent = [
      'unknown',
      (await invite({}, clock.at)).token,
      (await invite({ is_active: false })).token,
      (await invite({ tenant_id: other.id })).token,
      (await invite({ tenant_id: asleep.id })).token,
    ]
    for (const token of sent) {
      // A guessable password must not tell whether the link is valid.
      const answer = await accept({ token, new_password: 'password1' })
      expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
      expect(answer.headers).not.toHaveProperty('www-authenticate')
      expect(await lastSignIn()).toMatchObject({ outcome: 'refused', reason: LINK_REFUSED, user_id: null, email: null })
    }
    const otherKey = await makeApiKey(db, { tenant_id: other.id })
    expect((await accept({ token: sent[3] ?? '' }, otherKey)).statusCode).toBe(200)
  })

  test('keeps the link for another attempt after a guessable password', async () => {
    const { token } = await invite()
    const refusals = [
      ['short', 'New password must be at least 8 characters long'],
      ['password1', 'This password is too common or too easy to guess. Use several unrelated words.'],
      ['harbor dental rocks', 'Leave “harbor” out of the password: it is easy to guess here.'],
    ] as const
    for (const [new_password, msg] of refusals) {
      const answer = await accept({ token, new_password })
      expect([answer.statusCode, answer.json().detail]).toMatchObject([422, [{ loc: ['body', 'new_password'], msg }]])
    }
    expect((await accept({ token })).statusCode).toBe(200)
  })

  const meanwhile: [string, (id: string) => Promise<unknown>][] = [
    [
      'a password from an admin',
      (id) => db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', id).execute(),
    ],
    ['a deactivation', (id) => db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()],
    ['another invitation', (id) => db.deleteFrom('links').where('user_id', '=', id).execute()],
  ]
  test.for(meanwhile)('is refused after %s during the hashing', async ([, act]) => {
    const { user, token } = await invite()
    hashing.meanwhileNew = () => act(user.id)
    const answer = await accept({ token })
    expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
    expect(await rowOf(user.id)).toMatchObject({ must_change_password: true, last_sign_in_at: null })
  })

  test('is refused from a network after 100 unknown links, for this tenant only', async () => {
    const from = { client_address: '198.51.100.7' }
    for (let n = 0; n < 100; n += 1) await accept({ token: `guess-${n}`, ...from })
    const { token } = await invite()
    const answer = await accept({ token, ...from })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '900'])
    const other = await makeTenant(db)
    const otherKey = await makeApiKey(db, { tenant_id: other.id })
    const elsewhere = await invite({ tenant_id: other.id })
    expect((await accept({ token: elsewhere.token, ...from }, otherKey)).statusCode).toBe(200)
    expect((await accept({ token, client_address: '203.0.113.9' })).statusCode).toBe(200)
  })
})
