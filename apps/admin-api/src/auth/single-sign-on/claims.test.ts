import { makeUser } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { consoleWith } from '#src/testing/console-with-issuer.ts'

// Claims in every form in which identity providers send them.

type Claims = Record<string, unknown>
const { signIn, lastReason, api } = await consoleWith('groups: a=super_admin, x b=auditor, "cn=a,ou=b"=support')
const person = (sub: string, more: Claims): Claims => ({
  sub,
  email: `${sub}@any.example`,
  email_verified: true,
  ...more,
})

test.for([
  [true, true],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  [1, true],
  ['1', true],
  [undefined, true],
  [false, false],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  [0, false],
  ['0', false],
  ['no', false],
  ['', false],
  [null, false],
  [{}, false],
  [2, false],
] as const)('a new account with email_verified %j: %j', async ([email_verified, isOpened]) => {
  const sub = crypto.randomUUID()
  const opened = await signIn(person(sub, { email_verified, groups: ['a'] }))
  expect(opened).toEqual(isOpened ? { email: `${sub}@any.example`, role: 'super_admin' } : 'email_unverified')
  await api.db.deleteFrom('sign_in_attempts').execute()
})

test.for([
  ['a', 'super_admin'],
  ['other,a', 'super_admin'],
  [' other , x b ', 'auditor'],
  ['cn=a,ou=b', 'support'],
  ['cn=other,cn=a,ou=b', 'no_role'],
  ['other a', 'no_role'],
  ['x a,b', 'no_role'],
] as const)('groups in one text "%s": %s', async ([groups, expected]) => {
  const opened = await signIn(person(crypto.randomUUID(), { groups }))
  expect(typeof opened === 'string' ? opened : opened.role).toBe(expected)
})

test('an account is linked by any spelling of an internationalized address', async () => {
  await makeUser(api.db, { email: 'Linked@bücher.example' })
  const claims = person('linked', { email: 'linked@xn--bcher-kva.example', groups: ['a'] })
  expect(await signIn(claims)).toEqual({ email: 'Linked@bücher.example', role: 'super_admin' })
})

test('the texts of a list are not split, because each is a name', async () => {
  expect(await signIn(person('listed', { groups: ['other,a'] }))).toBe('no_role')
})

test('a token issued ahead of the clock is accepted within the tolerance', async () => {
  const iat = Math.floor(Date.now() / 1_000)
  expect(await signIn(person('soon', { groups: ['a'], iat: iat + 20 }))).toMatchObject({ role: 'super_admin' })
  expect(await signIn(person('later', { groups: ['a'], iat: iat + 90, exp: iat + 600 }))).toBe('refused')
  expect(await lastReason()).toMatch(/"iat"/)
})

const nameOf = async (sub: string) =>
  (await api.db.selectFrom('users').select('name').where('email', '=', `${sub}@any.example`).executeTakeFirst())?.name

test.for([
  ['Ada Farrowby', 'Ada Farrowby'],
  [' Ada ', 'Ada'],
  [undefined, null],
  ['', null],
  ['Ada\nFarrowby', null],
  ['x'.repeat(101), null],
  ['\ud800', null],
  [7, null],
] as const)('the claim name %j gives a new account the name %j', async ([claim, name]) => {
  const sub = crypto.randomUUID()
  await signIn(person(sub, { name: claim, groups: ['a'] }))
  expect(await nameOf(sub)).toBe(name)
  await api.db.deleteFrom('sign_in_attempts').execute()
})

test('the claim name fills an empty name at a later sign-in, and never changes one', async () => {
  const sub = crypto.randomUUID()
  for (const [claim, name] of [
    [undefined, null],
    ['Ada Farrowby', 'Ada Farrowby'],
    ['Somebody Else', 'Ada Farrowby'],
  ]) {
    await signIn(person(sub, { name: claim, groups: ['a'] }))
    expect(await nameOf(sub)).toBe(name)
  }
})
