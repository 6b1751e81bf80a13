import { createPasswords } from '@switchboard/sign-in/passwords'
import { makeApiKey, makeTenant, makeUser } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { afterAll, beforeEach, inject } from 'vitest'
import { buildAiApi } from '#src/app.ts'
import { testDeps } from './test-deps.ts'

/** The answer to every refused user. */
export const REFUSED = '{"detail":"Invalid email or password","code":"unauthorized"}'
export const PASSWORD = 'seven sisters walk at dusk'
export const NEW_PASSWORD = 'kettles under a plum tree'

type Sent = { email: string; password?: string; client_address?: string; new_password?: string }

/**
 * An ai-api over a separate database, a tenant with a key, and the calls of the tenant's portal. Ends with the test file.
 * Each test starts at the same time and without failed sign-ins.
 */
export async function startTestPortal() {
  const passwords = await createPasswords()
  const password_hash = await passwords.hash(PASSWORD)
  const idle = async (): Promise<unknown> => undefined
  /** `verified`: number of verified passwords. `meanwhile` runs during a verification, `meanwhileNew` during a hash. */
  const hashing = { verified: 0, meanwhile: idle, meanwhileNew: idle }
  const clock = { at: new Date() }
  const { db, url: directUrl, drop } = await createTestDatabase(inject('postgresUrl'))
  const app = await buildAiApi(
    testDeps({
      db,
      directUrl,
      now: () => clock.at,
      passwords: {
        ...passwords,
        hash: async (password) => {
          await hashing.meanwhileNew()
          return await passwords.hash(password)
        },
        verify: async (stored, password) => {
          hashing.verified += 1
          const matches = await passwords.verify(stored, password)
          await hashing.meanwhile()
          return matches
        },
      },
    }),
  )
  afterAll(async () => {
    await app.close()
    await drop()
  })
  beforeEach(async () => {
    clock.at = new Date('2026-11-20T12:00:00.000Z')
    Object.assign(hashing, { verified: 0, meanwhile: idle, meanwhileNew: idle })
    await db.deleteFrom('sign_in_attempts').execute()
    await db.deleteFrom('sign_in_refusals').execute()
  })
  const tenant = await makeTenant(db, { name: 'Harbor Dental' })
  const key = await makeApiKey(db, { tenant_id: tenant.id })
  const post = (url: string, payload: object, { api_key }: { api_key: string }) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': api_key },
      payload,
      remoteAddress: '192.0.2.1',
    })
  return {
    app,
    db,
    clock,
    hashing,
    tenant,
    key,
    verify: (body: Sent, from = key) => post('/v1/users/verify', { password: PASSWORD, ...body }, from),
    change: (body: Sent, from = key) =>
      post('/v1/users/password', { password: PASSWORD, new_password: NEW_PASSWORD, ...body }, from),
    accept: (body: { token: string; new_password?: string; client_address?: string }, from = key) =>
      post('/v1/users/invitation', { new_password: NEW_PASSWORD, ...body }, from),
    /** A user of the tenant, whose password is `PASSWORD`. */
    makeMember: (fields: Parameters<typeof makeUser>[1] = {}) =>
      makeUser(db, { role: 'manager', tenant_id: tenant.id, password_hash, ...fields }),
    rowOf: (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    lastAudited: () => db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    lastSignIn: () => db.selectFrom('portal_sign_ins').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow(),
  }
}
