import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { linkTokenHash } from '@switchboard/mail/links'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { resetSecondFactorOf } from '#src/auth/second-factors/reset-second-factor.service.ts'
import { enrollTotp } from '#src/testing/enrolled-accounts.ts'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { resetPassword } from '#src/users/super-admins.service.ts'

const mailer = createMailer(
  { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'c@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const api = await startTestApi({ mailer, mails: { enqueue: (trx, job) => queue.mails.enqueue(trx, job) } })
const { db } = api
const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
afterAll(() => queue.stop())
const boss = await api.signIn()
const call = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => {
  const answer = await boss.call({ method, url: `/api/v1/admin/${path}`, ...(body && { body }) })
  expect(answer.statusCode).toBeLessThan(300)
  return answer
}

/**
 * The notices to an account, oldest first, with the person who made each change. Checks that each has a job in the
 * queue.
 */
async function told(account: string) {
  const { rows } = await sql<{ changes: string[]; changed_by: string; address: string | null }>`
    select changes, changed_by, account_notices.address from account_notices
    join pgboss.job on data ->> 'account_notice_id' = account_notices.id::text
    where mail_to = ${account} and account = mail_to order by changed_at`.execute(db)
  return rows
}
const byBoss = (...changes: string[]) => [{ changes, changed_by: boss.admin.email, address: '127.0.0.1' }]

type Change = (id: string) => Promise<unknown>
const CHANGES: [name: string, change: Change, sentences: string[]][] = [
  [
    'another role and status',
    (id) => call('PATCH', `team/${id}`, { role: 'auditor', is_active: false }),
    ['The role was changed from support to auditor.', 'The account was deactivated.'],
  ],
  ['a removal', (id) => call('DELETE', `team/${id}`), ['The account was removed.']],
  [
    'a toggle',
    (id) => call('PATCH', `tenant-admins/${id}/toggle`, { is_active: false }),
    ['The account was deactivated.'],
  ],
  ['a status', (id) => call('PATCH', `tenant-admins/${id}`, { is_active: false }), ['The account was deactivated.']],
  ['a deletion', (id) => call('DELETE', `tenant-admins/${id}`), ['The account was removed.']],
  [
    'a bulk deactivation',
    (id) => call('POST', 'tenant-admins/bulk', { action: 'deactivate', ids: [id] }),
    ['The account was deactivated.'],
  ],
  [
    'a reset second factor',
    (id) => call('DELETE', `team/${id}/second-factor`),
    ['All second factors and recovery codes were removed.'],
  ],
]

test.each(CHANGES)('%s is reported to the member', async (_, change, sentences) => {
  const member = await makeUser(db, { role: 'support' })
  await change(member.id)
  expect(await told(member.email)).toEqual(byBoss(...sentences))
})

test('a restoration is reported to the member', async () => {
  const member = await makeUser(db, { role: 'support' })
  await call('DELETE', `tenant-admins/${member.id}`)
  api.minutesLater(1)
  await call('POST', `tenant-admins/${member.id}/restore`)
  expect((await told(member.email)).slice(1)).toEqual(byBoss('The removed account was restored.'))
})

test('members are told about changes to their second factors, recovery codes and password', async () => {
  const caller = await api.signIn()
  await enrollTotp(api, caller)
  const own = { changed_by: caller.admin.email, address: '127.0.0.1' }
  const last = async () => (await told(caller.admin.email)).at(-1)
  expect(await last()).toEqual({
    changes: ['The authenticator app “Phone” was added.', 'Recovery codes were created.'],
    ...own,
  })
  const factors = '/api/v1/admin/auth/second-factors'
  api.minutesLater(1)
  await caller.call({ method: 'POST', url: `${factors}/recovery-codes` })
  expect(await last()).toEqual({ changes: ['The recovery codes were replaced.'], ...own })
  api.minutesLater(1)
  const [factor] = (await caller.call({ method: 'GET', url: factors })).json().second_factors
  await caller.call({ method: 'DELETE', url: `${factors}/${factor.id}` })
  expect(await last()).toEqual({
    changes: ['The authenticator app “Phone” was removed.', 'The recovery codes were removed.'],
    ...own,
  })
  api.minutesLater(1)
  const body = { current_password: PASSWORD, new_password: 'seven sisters walk at dusk' }
  await caller.call({ method: 'PUT', url: '/api/v1/admin/auth/profile', body })
  expect(await last()).toEqual({ changes: ['The password was changed.'], ...own })
})

test('a password reset by a link is reported to the member', async () => {
  const member = await makeUser(db, { role: 'support' })
  await db
    .insertInto('links')
    .values({
      kind: 'password_reset',
      email: member.email,
      folded_email: foldEmail(member.email),
      user_id: member.id,
      token_hash: linkTokenHash('reset'),
      created_at: api.clock.at,
      expires_at: new Date(api.clock.at.getTime() + 60_000),
    })
    .execute()
  const body = { token: 'reset', password: 'seven sisters walk at dusk' }
  await api.call({ method: 'POST', url: '/api/v1/admin/auth/reset-password', body })
  expect(await told(member.email)).toMatchObject([
    { changes: ['The password was reset with a link sent by mail.'], changed_by: member.email },
  ])
})

test('changes by commands on the server are reported to the member', async () => {
  const member = await makeUser(db, { role: 'support' })
  await resetPassword(api.deps, member.email)
  await resetSecondFactorOf(api.deps, member.email)
  expect(await told(member.email)).toEqual(
    expect.arrayContaining([
      {
        changes: ['The password was replaced on the server.'],
        changed_by: 'command line',
        address: null,
      },
      {
        changes: ['All second factors and recovery codes were removed.'],
        changed_by: 'command line',
        address: null,
      },
    ]),
  )
})

test('users of tenants, updates that change nothing, and servers without mail cause no notices', async () => {
  const tenant = await makeTenant(db)
  const user = await makeUser(db, { role: 'user', tenant_id: tenant.id })
  await call('PATCH', `tenant-admins/${user.id}`, { role: 'manager', is_active: false })
  await call('DELETE', `tenant-admins/${user.id}`)
  const role: ConsoleRole = 'support'
  const member = await makeUser(db, { role })
  await call('PATCH', `team/${member.id}`, { role, is_active: true })
  api.deps.mailer = null
  onTestFinished(() => void (api.deps.mailer = mailer))
  await call('PATCH', `team/${member.id}`, { role: 'auditor' })
  expect([...(await told(user.email)), ...(await told(member.email))]).toEqual([])
})
