import type { User } from '@switchboard/contract/users'
import { linkTokenHash } from '@switchboard/mail/links'
import { createMailer } from '@switchboard/mail/mailer'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const URL = '/api/v1/admin/tenant-admins'
const PASSWORD = 'seven sisters walk at dusk'

/** Without mail: each link is in the answer. */
const api = await startTestApi()
const { db, clock } = api
const ada = await api.signIn('ada@example.com')
const tenant = await makeTenant(db, { name: 'Harbor Dental', subdomain: 'harbor-dental' })
beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00.000Z')
  await db.deleteFrom('links').execute()
})

let made = 0
const create = (fields: object = { send_invitation: true }) =>
  ada.call({
    method: 'POST',
    url: URL,
    body: { email: `invited.${(made += 1)}@example.com`, role: 'admin', tenant_id: tenant.id, ...fields },
  })
const invited = async (): Promise<User> => (await create()).json()
const invite = (id: string) => ada.call({ method: 'POST', url: `${URL}/${id}/invitation` })
const get = async (id: string) => (await ada.call({ method: 'GET', url: `${URL}/${id}` })).json()
const linksOf = (id: string) => db.selectFrom('links').selectAll().where('user_id', '=', id).execute()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq', 'desc').execute()
const LINK = /^https:\/\/harbor-dental\.switchboard\.example\/invitation#([\w-]{43})$/
const PENDING = {
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-23T12:00:00.000Z',
  mail_state: null,
  mail_problem: null,
}

describe('a new user with an invitation', () => {
  test('has no password, and the link to the portal of the tenant is in the answer', async () => {
    const answer = await create({ send_invitation: true, external_id: 'usr_1' })
    const { invitation_link, ...user } = answer.json()
    expect([answer.statusCode, user]).toMatchObject([
      201,
      { external_id: 'usr_1', has_password: false, must_change_password: true, invitation: PENDING },
    ])
    expect(await get(user.id)).toEqual(user)
    const [, token = ''] = LINK.exec(invitation_link) ?? []
    expect(await linksOf(user.id)).toMatchObject([{ token_hash: linkTokenHash(token), email: user.email }])
    const row = await db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    expect(row.password_hash).toBe(NO_PASSWORD)
    const entries = await auditOf(user.id)
    expect(entries).toMatchObject([
      { action: 'users.create', changes: { send_invitation: { before: null, after: true } } },
    ])
    expect(JSON.stringify(entries) + api.logLines.join('')).not.toContain(token)
  })

  test('is in the list with the invitation', async () => {
    const { id } = await invited()
    const rows: User[] = (await ada.call({ method: 'GET', url: `${URL}?tenant_id=${tenant.id}` })).json()
    expect(rows.find((user) => user.id === id)).toMatchObject({ has_password: false, invitation: PENDING })
  })

  test('has either a password or an invitation', async () => {
    for (const fields of [{}, { send_invitation: false }, { send_invitation: true, password: PASSWORD }]) {
      const answer = await create(fields)
      expect([answer.statusCode, answer.json().detail]).toMatchObject([
        422,
        [{ loc: ['body', 'password'], msg: 'Send either a password or an invitation.' }],
      ])
    }
    const answer = await create({ send_invitation: false, password: PASSWORD })
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { has_password: true, invitation: null }])
    expect(answer.json()).not.toHaveProperty('invitation_link')
  })

  test('with mail, gets the link from the worker, and the answer has none', async () => {
    const jobs: unknown[] = []
    const consoleUrl = 'https://console.example.com'
    const settings = { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'console@example.com' }, consoleUrl }
    const withMail = await startTestApi({
      mailer: createMailer(settings, 'Switchboard'),
      mails: { enqueue: async (_trx, job) => void jobs.push(job) },
      portalUrl: 'https://portals.example.com/{subdomain}',
    })
    const { call } = await withMail.signIn()
    const { id: tenant_id } = await makeTenant(withMail.db, { subdomain: 'quay' })
    const body = { email: 'jo@example.com', role: 'user', tenant_id, send_invitation: true }
    const answer = await call({ method: 'POST', url: URL, body })
    const mailed = { invitation_link: null, invitation: { mail_state: 'queued' } }
    expect([answer.statusCode, answer.json()]).toMatchObject([201, mailed])
    const rows = await withMail.db.selectFrom('links').selectAll().execute()
    expect(rows).toMatchObject([{ token_hash: null, portal_url: 'https://portals.example.com/quay' }])
    expect(jobs).toEqual(rows.map(({ id }) => ({ link_id: id })))
  })
})

describe('another invitation', () => {
  test('replaces the earlier link, and is audited', async () => {
    const { id } = await invited()
    const [before] = await linksOf(id)
    clock.at = new Date('2026-11-20T12:05:00.000Z')
    const answer = await invite(id)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { invitation_link: expect.stringMatching(LINK), invitation: { expires_at: '2026-11-23T12:05:00.000Z' } },
    ])
    const [after, ...others] = await linksOf(id)
    expect(others).toEqual([])
    expect(after?.token_hash).not.toEqual(before?.token_hash)
    expect((await auditOf(id))[0]).toMatchObject({ action: 'users.invite', actor_email: 'ada@example.com' })
  })

  test('may be the first one of a user without a password, such as an imported one', async () => {
    const { id } = await makeUser(db, { role: 'user', tenant_id: tenant.id })
    expect((await invite(id)).json()).toMatchObject({ invitation: PENDING })
  })

  test('is refused for a user with a password, an inactive one, and a person who runs the console', async () => {
    const member = await makeUser(db, { role: 'user', tenant_id: tenant.id, password_hash: 'a-hash' })
    const inactive = await makeUser(db, { role: 'user', tenant_id: tenant.id, is_active: false })
    const refusals = [
      [member.id, 'This user has a password already.'],
      [inactive.id, 'Activate the user before you send an invitation.'],
      [ada.admin.id, 'People who run the console are invited on the team page.'],
    ] as const
    for (const [id, detail] of refusals) {
      const answer = await invite(id)
      expect([answer.statusCode, answer.json().detail]).toEqual([409, detail])
    }
    expect((await invite(crypto.randomUUID())).statusCode).toBe(404)
  })

  test('sent eight times at once leaves one link', async () => {
    const { id } = await invited()
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(id)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect(await linksOf(id)).toHaveLength(1)
  })
})

const endings: [string, 'PUT' | 'PATCH' | 'DELETE', string, object | undefined][] = [
  ['a password from an admin', 'PUT', '/password', { password: PASSWORD }],
  ['a deactivation', 'PATCH', '/toggle', { is_active: false }],
  ['a deactivation by an edit', 'PATCH', '', { is_active: false }],
  ['a new address', 'PATCH', '', { email: 'elsewhere@example.com' }],
  ['a deletion', 'DELETE', '', undefined],
]
test.for(endings)('%s ends the invitation', async ([, method, path, body]) => {
  const { id } = await invited()
  const answer = await ada.call({ method, url: `${URL}/${id}${path}`, ...(body && { body }) })
  expect([200, 204]).toContain(answer.statusCode)
  expect(await linksOf(id)).toEqual([])
  if (method !== 'DELETE') return expect((await get(id)).invitation).toBeNull()
  await ada.call({ method: 'POST', url: `${URL}/${id}/restore` })
  expect(await get(id)).toMatchObject({ has_password: false, invitation: null })
})
