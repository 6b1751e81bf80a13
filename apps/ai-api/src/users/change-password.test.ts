import { makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { NEW_PASSWORD, PASSWORD, REFUSED, startTestPortal } from '#src/testing/test-portal.ts'

const { db, hashing, tenant, key, verify, change, makeMember, rowOf, lastAudited } = await startTestPortal()
const otherTenant = await makeTenant(db)

describe('changing a password', () => {
  test('sets the new password, ends the forced change, and is audited without either password', async () => {
    const user = await makeMember({ must_change_password: true })
    const answer = await change({ email: user.email, client_address: '203.0.113.7' })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { user: { id: user.id, email: user.email, name: null, role: 'manager', must_change_password: false } },
    ])
    expect(await rowOf(user.id)).toMatchObject({ must_change_password: false, last_sign_in_at: null, version: 1 })
    const audited = await lastAudited()
    expect(audited).toMatchObject({
      action: 'users.password',
      outcome: 'done',
      actor_id: user.id,
      target_id: user.id,
      tenant_id: tenant.id,
      changes: {
        password: { before: '•••', after: '•••' },
        must_change_password: { before: true, after: false },
        api_key_id: { before: null, after: key.id },
      },
      address: '203.0.113.7',
    })
    expect((await verify({ email: user.email })).statusCode).toBe(401)
    expect((await verify({ email: user.email, password: NEW_PASSWORD })).statusCode).toBe(200)
  })

  test('answers every refused user like a refused verification', async () => {
    const stranger = await makeMember({ tenant_id: otherTenant.id })
    const inactive = await makeMember({ is_active: false })
    const known = await makeMember()
    // A guessable password must not tell whether the current one was right.
    const new_password = 'password1'
    for (const body of [
      { email: stranger.email },
      { email: inactive.email },
      { email: known.email, password: 'wrong' },
    ]) {
      const answer = await change({ ...body, new_password })
      expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
    }
  })

  const refusals: [string, string, string][] = [
    ['is too common', 'password1', 'This password is too common or too easy to guess. Use several unrelated words.'],
    ['names the tenant', 'harbor dental rocks', 'Leave “harbor” out of the password: it is easy to guess here.'],
    ['is too short', 'short', 'New password must be at least 8 characters long'],
    ['is the current one', PASSWORD, 'Choose a password other than the current one.'],
  ]
  test.for(refusals)('is refused when the new password %s, and counts as no failure', async ([, new_password, msg]) => {
    const user = await makeMember({ must_change_password: true })
    for (let n = 0; n < 11; n += 1) {
      const answer = await change({ email: user.email, new_password })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        422,
        [{ loc: ['body', 'new_password'], msg, type: expect.any(String) }],
      ])
    }
    expect(await rowOf(user.id)).toEqual(user)
  })

  test('is refused after a deactivation during the hashing of the new password', async () => {
    const { id, email, password_hash } = await makeMember()
    hashing.meanwhileNew = () => db.updateTable('users').set({ is_active: false }).where('id', '=', id).execute()
    const answer = await change({ email })
    expect([answer.statusCode, answer.body]).toEqual([401, REFUSED])
    expect((await rowOf(id)).password_hash).toBe(password_hash)
  })
})
