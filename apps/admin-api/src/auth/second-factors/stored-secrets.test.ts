import { randomBytes } from 'node:crypto'
import { parseSecretKey, type SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import { checkSecretKeys, rotateSecrets } from '@switchboard/database/stored-secrets/stored-secrets'
import { sql } from 'kysely'
import { Secret } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const URL = '/api/v1/admin/auth'
const [first, second, third] = [newKey(), newKey(), newKey()]
const plain = { current: null, old: [] }
const api = await startTestApi({ secretKeys: plain })
const { db, deps } = api

beforeEach(async () => {
  deps.secretKeys = plain
  await db.deleteFrom('second_factors').execute()
  await db.deleteFrom('sign_in_challenges').execute()
  await db.deleteFrom('sign_in_attempts').execute()
})

function newKey() {
  const key = parseSecretKey(randomBytes(32).toString('base64'))
  if (key === null) throw new Error('32 bytes are a key.')
  return key
}

/** A new member with an authenticator app, and a sign-in with a code of this or another app. */
async function enrolled() {
  const session = await api.signIn()
  const { email, id } = session.admin
  const { codeAt } = await enrollTotp(api, session)
  const signIn = async (code = codeAt) => {
    api.minutesLater(2)
    const challenge = (await api.login(email)).json().challenge.id
    return (await api.call({ method: 'POST', url: `${URL}/challenge`, body: { id: challenge, code: code() } }))
      .statusCode
  }
  return { id, email, session, codeAt, signIn }
}

const storedOf = async (user_id: string) => {
  const row = db.selectFrom('second_factors').select('totp_secret').where('user_id', '=', user_id)
  return (await row.executeTakeFirstOrThrow()).totp_secret ?? Buffer.alloc(0)
}
const rotate = (secretKeys: SecretKeys, takesPlain = false) =>
  rotateSecrets(db, { secretKeys, randomBytes, takesPlain })
const NONE = { changed: 0, current: 0, unreadable: [], plain: [] }

test('with a key no row shows the secret of an authenticator app, from its enrollment on', async () => {
  deps.secretKeys = { current: first, old: [] }
  const { session, signIn } = await enrolled()
  const { secret } = (await session.call({ method: 'POST', url: `${URL}/second-factors/totp/begin` })).json()
  const { rows } = await sql<{ stored: Buffer }>`select totp_secret as stored from sign_in_challenges
    union all select totp_secret from second_factors`.execute(db)
  expect(rows).toHaveLength(2)
  for (const { stored } of rows) expect(stored.subarray(0, 14).toString()).toBe('aes-256-gcm:1:')
  const { rows: dump } = await sql<{
    text: string
  }>`select sign_in_challenges::text as text from sign_in_challenges`.execute(db)
  expect(dump).toHaveLength(1)
  expect(dump[0]?.text).not.toContain(Secret.fromBase32(secret).hex.toLowerCase())
  expect(await signIn()).toBe(200)
})

test('without a key a secret is stored unencrypted, and can be read with a key that only decrypts', async () => {
  const { id, signIn } = await enrolled()
  expect(await storedOf(id)).toHaveLength(20)
  deps.secretKeys = { current: null, old: [first] }
  expect(await signIn()).toBe(200)
})

describe('an unencrypted secret, while a key is set', () => {
  test('is refused at a sign-in, and logged', async () => {
    deps.secretKeys = { current: first, old: [] }
    const { id, signIn, codeAt } = await enrolled()
    const planted = await enrolled()
    deps.secretKeys = plain
    const known = await enrolled()
    deps.secretKeys = { current: first, old: [] }
    await db
      .updateTable('second_factors')
      .set({ totp_secret: await storedOf(known.id) })
      .where('user_id', '=', planted.id)
      .execute()
    expect([await planted.signIn(known.codeAt), await known.signIn(), await signIn(codeAt)]).toEqual([401, 401, 200])
    expect(await storedOf(id)).not.toHaveLength(20)
    expect(api.logLines.join('')).toContain('an authenticator app cannot be decrypted')
  })

  test('stops a start, and is encrypted only by a rotation with `plain`', async () => {
    const { email, signIn } = await enrolled()
    deps.secretKeys = { current: first, old: [] }
    await expect(checkSecretKeys(db, deps.secretKeys)).rejects.toThrow(
      'Stored secrets (1) are not encrypted, although SECRETS_KEY is set.',
    )
    expect(await rotate(deps.secretKeys)).toEqual({ ...NONE, plain: [{ table: 'second_factors', owner: email }] })
    expect(await signIn()).toBe(401)
    expect(await rotate(deps.secretKeys, true)).toEqual({ ...NONE, changed: 1 })
    await checkSecretKeys(db, deps.secretKeys)
    expect(await signIn()).toBe(200)
  })

  test('of an enrollment in progress ends the enrollment', async () => {
    const session = await api.signIn()
    const begun = (await session.call({ method: 'POST', url: `${URL}/second-factors/totp/begin` })).json()
    deps.secretKeys = { current: first, old: [] }
    const body = { id: begun.id, name: 'Phone', code: '123456' }
    const added = await session.call({ method: 'POST', url: `${URL}/second-factors/totp`, body })
    expect([added.statusCode, added.json().detail]).toEqual([409, expect.stringContaining('again')])
  })
})

describe('a rotation', () => {
  test('encrypts all with a key, then with the next, and can be repeated', async () => {
    const member = await enrolled()
    const other = await enrolled()
    const keys = { current: first, old: [] }
    const [one, parallel] = await Promise.all([rotate(keys, true), rotate(keys, true)])
    expect(one.changed + parallel.changed).toBe(2)
    deps.secretKeys = { current: second, old: [first] }
    expect(await member.signIn()).toBe(200)
    expect(await rotate(deps.secretKeys)).toEqual({ ...NONE, changed: 2 })
    expect(await rotate(deps.secretKeys)).toEqual({ ...NONE, current: 2 })
    deps.secretKeys = { current: second, old: [] }
    expect([await member.signIn(), await other.signIn()]).toEqual([200, 200])
  })

  test('without a current key decrypts all', async () => {
    deps.secretKeys = { current: first, old: [] }
    const { id, signIn } = await enrolled()
    expect(await rotate({ current: null, old: [first] })).toEqual({ ...NONE, changed: 1 })
    expect(await storedOf(id)).toHaveLength(20)
    deps.secretKeys = plain
    expect(await signIn()).toBe(200)
  })

  test('names the account of a secret of an unknown key, and leaves the secret', async () => {
    deps.secretKeys = { current: first, old: [] }
    const { id, email } = await enrolled()
    const before = await storedOf(id)
    expect(await rotate({ current: second, old: [third] })).toEqual({
      ...NONE,
      unreadable: [{ table: 'second_factors', owner: email }],
    })
    expect(await storedOf(id)).toEqual(before)
  })

  test('encrypts the secrets of deleted accounts too', async () => {
    deps.secretKeys = { current: first, old: [] }
    const account = await enrolled()
    const { id } = account
    const admin = await api.signIn()
    expect((await admin.call({ method: 'DELETE', url: `/api/v1/admin/tenant-admins/${id}` })).statusCode).toBeLessThan(
      300,
    )
    const next = { current: second, old: [first] }
    expect(await rotate(next)).toEqual({ ...NONE, changed: 1 })
    expect(await rotate(next)).toEqual({ ...NONE, current: 1 })
    await admin.call({ method: 'POST', url: `/api/v1/admin/tenant-admins/${id}/restore` })
    deps.secretKeys = { current: second, old: [] }
    expect(await account.signIn()).toBe(200)
  })
})

test('an encrypted secret in the row of another account is refused, and logged', async () => {
  deps.secretKeys = { current: first, old: [] }
  const [owner, thief] = [await enrolled(), await enrolled()]
  const stolen = await storedOf(thief.id)
  await db.updateTable('second_factors').set({ totp_secret: stolen }).where('user_id', '=', owner.id).execute()
  expect([await owner.signIn(thief.codeAt), await thief.signIn()]).toEqual([401, 200])
  expect(api.logLines.join('')).toContain('an authenticator app cannot be decrypted')
  expect((await rotate({ current: second, old: [first] })).unreadable).toEqual([
    { table: 'second_factors', owner: owner.email },
  ])
})

test('a start needs every key in use', async () => {
  await enrolled()
  await checkSecretKeys(db, plain)
  await rotate({ current: first, old: [] }, true)
  await checkSecretKeys(db, { current: second, old: [first] })
  const id = first.id.toString('hex')
  await expect(checkSecretKeys(db, { current: second, old: [] })).rejects.toThrow(
    `Stored secrets (1) are encrypted with the key ${id}, but SECRETS_KEY and SECRETS_KEY_OLD have ${second.id.toString('hex')}.`,
  )
  await expect(checkSecretKeys(db, plain)).rejects.toThrow('but SECRETS_KEY is not set. Set SECRETS_KEY to that key')
})
