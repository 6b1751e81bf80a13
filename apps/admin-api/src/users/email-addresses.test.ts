import { forgotPassword } from '@switchboard/contract/password-resets'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { importCalls } from '#src/testing/import-calls.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { createSuperAdmin, resetPassword } from './super-admins.service.ts'

// An address with an internationalized domain belongs to one account, however its domain is typed.

const mailer = createMailer(
  { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'c@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const api = await startTestApi({ mailer, mails: { enqueue: (trx, job) => queue.mails.enqueue(trx, job) } })
const { db, deps } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
afterAll(() => queue.stop())
const admin = await api.signIn('ada@example.com')
const tenant = await makeTenant(db)
const { imported } = importCalls(admin)
const url = '/api/v1/admin'
const TAKEN = { detail: 'This email address is already in use.' }

/** Three spellings of an address, with another part before the "@" for each test. */
const spellings = (local: string) => [
  `${local}@bücher.example`,
  `${local.toUpperCase()}@BÜCHER.example`,
  `${local}@xn--bcher-kva.example`,
]
const create = (email: string) =>
  admin.call({
    method: 'POST',
    url: `${url}/tenant-admins`,
    body: { email, password: 'seven sisters walk at dusk', role: 'user', tenant_id: tenant.id },
  })
const rowsWith = async (local: string) =>
  await db.selectFrom('users').selectAll().where('folded_email', '=', `${local}@xn--bcher-kva.example`).execute()

beforeEach(async () => {
  await db.deleteFrom('sign_in_attempts').execute()
})

test('a user is stored as typed, and the other spellings are taken', async () => {
  const [typed = '', ...others] = spellings('user')
  expect((await create(typed)).statusCode).toBe(201)
  for (const other of others) {
    const refused = await create(other)
    expect([refused.statusCode, refused.json()]).toMatchObject([409, TAKEN])
  }
  expect(await rowsWith('user')).toMatchObject([{ email: typed }])
})

test('a new address of a user is taken in every spelling', async () => {
  const [typed = '', other = ''] = spellings('changed')
  const user = await makeUser(db, { role: 'user', tenant_id: tenant.id })
  const change = (email: string) =>
    admin.call({ method: 'PATCH', url: `${url}/tenant-admins/${user.id}`, body: { email } })
  expect((await change(typed)).statusCode).toBe(200)
  expect(await rowsWith('changed')).toMatchObject([{ id: user.id, email: typed }])
  expect((await create(other)).json()).toMatchObject(TAKEN)
  expect((await change(other)).statusCode).toBe(200)
})

test('an import recognizes every spelling as the same user, also within one file', async () => {
  const rows = spellings('imported').map((email) => ({ email, role: 'user', tenant_id: tenant.id }))
  const results = await imported('tenant-admins', rows)
  expect(results[0]?.outcome).toBe('created')
  expect(results.slice(1).map(({ outcome }) => outcome)).not.toContain('created')
  expect((await imported('tenant-admins', rows.slice(2)))[0]?.outcome).toBe('unchanged')
  expect(await rowsWith('imported')).toHaveLength(1)
})

test('the address of a user of a deleted tenant stays taken in every spelling', async () => {
  const [typed = '', other = '', ascii = ''] = spellings('deleted')
  const gone = await makeTenant(db)
  await makeUser(db, { email: typed, role: 'user', tenant_id: gone.id })
  await admin.call({ method: 'DELETE', url: `${url}/tenants/${gone.id}` })
  for (const email of [typed, other, ascii])
    expect((await create(email)).json()).toMatchObject({ detail: 'A user of a deleted tenant has this email address.' })
  const [row] = await imported('tenant-admins', [{ email: other, role: 'user', tenant_id: tenant.id }])
  expect(row).toMatchObject({ outcome: 'refused', problems: [{ column: 'email' }] })
})

test('members sign in with every spelling, and their failed sign-ins are counted together', async () => {
  const [typed = '', ...others] = spellings('signs-in')
  await makeUser(db, { email: typed, password_hash: await deps.passwords.hash(PASSWORD) })
  for (const email of [typed, ...others]) expect((await api.login(email)).statusCode).toBe(200)
  for (let n = 0; n < 10; n += 1) expect((await api.login(others[n % 2] ?? '', 'wrong')).statusCode).toBe(401)
  expect((await api.login(typed)).statusCode).toBe(429)
})

test('failed sign-ins in every spelling are found by the address of the account', async () => {
  const [typed = '', ...others] = spellings('watched')
  const person = await api.signIn(typed)
  for (const email of others) await api.login(email, 'wrong')
  const own = (await person.call({ method: 'GET', url: `${url}/auth/sign-ins` })).json()
  expect(own.filter((each: { outcome: string }) => each.outcome === 'refused')).toHaveLength(2)
  const query = new URLSearchParams({ actor: typed, limit: '10' })
  const activity = await admin.call({ method: 'GET', url: `${url}/audit?${query.toString()}` })
  expect(activity.json()).toHaveLength(2)
})

test('an invitation replaces an invitation in another spelling, and a taken address cannot be invited', async () => {
  const [typed = '', other = '', ascii = ''] = spellings('invited')
  const invite = (email: string) =>
    admin.call({ method: 'POST', url: `${url}/invitations`, body: { email, role: 'support' } })
  expect([(await invite(typed)).statusCode, (await invite(other)).statusCode]).toEqual([201, 201])
  const links = await db.selectFrom('links').select('email').where('kind', '=', 'invitation').execute()
  expect(links).toEqual([{ email: other }])
  await makeUser(db, { email: ascii })
  expect((await invite(typed)).json()).toMatchObject(TAKEN)
})

test('a password reset can be requested in every spelling', async () => {
  for (const email of spellings('forgetful'))
    expect((await api.call({ method: 'POST', url: forgotPassword.url, body: { email } })).statusCode).toBe(202)
  const links = await db.selectFrom('links').select('folded_email').where('kind', '=', 'password_reset').execute()
  expect(links).toEqual(spellings('forgetful').map(() => ({ folded_email: 'forgetful@xn--bcher-kva.example' })))
})

test('a profile accepts an internationalized address, and refuses a spelling of another account', async () => {
  // Without mail, a new address is used at once.
  deps.mailer = null
  onTestFinished(() => void (deps.mailer = mailer))
  const [typed = '', other = ''] = spellings('profile')
  const [one, two] = [await api.signIn(), await api.signIn()]
  const change = (person: typeof one, email: string) =>
    person.call({ method: 'PUT', url: `${url}/auth/profile`, body: { email, current_password: PASSWORD } })
  expect((await change(one, typed)).json()).toMatchObject({ email: typed })
  expect((await change(two, other)).json()).toMatchObject(TAKEN)
  expect((await api.login(other)).statusCode).toBe(200)
})

test('the commands create and find accounts in every spelling', async () => {
  const [typed = '', other = '', ascii = ''] = spellings('fire')
  await createSuperAdmin(deps, typed)
  await expect(createSuperAdmin(deps, ascii)).rejects.toThrow(/users_email_unique/)
  expect(await resetPassword(deps, other)).toMatchObject({ email: typed })
})

test('the palette and the list find a user by any spelling of the address', async () => {
  const [typed = '', ...others] = spellings('searched')
  const { id } = await makeUser(db, { email: typed, role: 'user', tenant_id: tenant.id })
  for (const q of [typed, ...others]) {
    const found = await admin.call({ method: 'POST', url: `${url}/search`, body: { q } })
    const list = await admin.call({
      method: 'GET',
      url: `${url}/tenant-admins?${new URLSearchParams({ q }).toString()}`,
    })
    for (const users of [found.json().users, list.json()])
      expect([q, users.map((user: { id: string }) => user.id)]).toEqual([q, [id]])
  }
})

describe('an address that no mail server delivers to is refused with an error on its field', () => {
  test.each([
    'u@bücher.example:80',
    'u@127.0.0.1',
    'u\u202e@example.com',
    'u@[192.0.2.1]',
    `${'ö'.repeat(33)}@x.example`,
  ])('%s', async (email) => {
    const refused = await create(email)
    expect([refused.statusCode, refused.json().detail]).toMatchObject([
      422,
      [{ loc: ['body', 'email'], msg: 'Enter a valid email address.' }],
    ])
  })
})
