import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import { alertRules } from '@switchboard/contract/signals/alert-rules'
import { alertList } from '@switchboard/contract/signals/alerts'
import { reportCause } from '@switchboard/database/alerts/report-cause'
import { createMailer } from '@switchboard/mail/mailer'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeWebhook } from '@switchboard/testing/webhook-factory'
import { startMailbox } from '@switchboard/testing/mailbox'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'
import { checkWorkers } from './worker-silence.service.ts'

const mailbox = await startMailbox()
afterAll(() => mailbox.close())
const mailer = createMailer(
  { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
const api = await startTestApi({ mailer })
const { db } = api
const ada = await api.signIn('ada@example.com')
const grace = await api.signIn('grace@example.com', 'auditor')
const URL = '/api/v1/admin/alerts'
beforeEach(async () => {
  await db.deleteFrom('alerts').execute()
  await db.deleteFrom('alert_mails').execute()
  await db.deleteFrom('alert_rules').execute()
  await db.updateTable('alert_reader').set({ told_at: null, evaluated_at: new Date() }).execute()
  mailbox.mails.length = 0
  mailbox.behave('take')
})

const list = async (as = ada) => alertList.parse((await as.call({ method: 'GET', url: URL })).json())
const rules = async (as = ada) => alertRules.parse((await as.call({ method: 'GET', url: `${URL}/rules` })).json())
const change = async (kind: string, body: object, as = ada) =>
  await as.call({ method: 'PATCH', url: `${URL}/rules/${kind}`, body })
const read = async (body: object, as = ada) => await as.call({ method: 'POST', url: `${URL}/read`, body })
const lastAudit = () =>
  db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()
const openTwo = async () => {
  await reportCause(db, 'chain_broken', 'The chain breaks at row 2.')
  await reportCause(db, 'worker_silent', 'No worker has run for 5 minutes.')
}

test('alerts are listed, newest first, and each person reads them for themselves', async () => {
  await openTwo()
  const { alerts, ...counts } = await list()
  expect(counts).toEqual({ unread: 2, open: 2 })
  expect(alerts).toMatchObject([
    {
      kind: 'worker_silent',
      text: 'No worker has run for 5 minutes.',
      target_id: null,
      resolved_at: null,
      is_unread: true,
    },
    { kind: 'chain_broken', is_unread: true },
  ])
  expect((await read({ ids: [alerts[0]?.id] })).statusCode).toBe(204)
  expect((await list()).alerts.map(({ is_unread }) => is_unread)).toEqual([false, true])
  expect((await read({})).statusCode).toBe(204)
  expect((await read({})).statusCode).toBe(204)
  expect(await list()).toMatchObject({ unread: 0, open: 2 })
  expect(await list(grace)).toMatchObject({ unread: 2, open: 2 })
  await reportCause(db, 'chain_broken', null)
  expect(await list(grace)).toMatchObject({
    unread: 1,
    open: 1,
    alerts: [{ is_unread: true }, { is_unread: false, resolved_at: expect.any(String) }],
  })
})

test('an open alert is listed however many sign-ins follow it, and what is over comes last', async () => {
  await reportCause(db, 'worker_silent', 'No worker has run for 5 minutes.')
  await reportCause(db, 'worker_silent', null)
  await reportCause(db, 'chain_broken', 'The chain breaks at row 2.')
  await sql`
    insert into alerts (kind, cause, text, opened_at)
    select 'new_sign_in', n, 'ada@example.com signed in.', now() from generate_series(1, 98) as n`.execute(db)
  const kinds = async () => (await list()).alerts.map(({ kind }) => kind)
  expect((await kinds()).slice(97)).toEqual(['new_sign_in', 'chain_broken', 'worker_silent'])
  await sql`
    insert into alerts (kind, cause, text, opened_at) values ('new_sign_in', '99', 'x', now()), ('new_sign_in', '100', 'x', now())`.execute(
    db,
  )
  expect((await kinds()).slice(98)).toEqual(['new_sign_in', 'chain_broken'])
})

test('a sign-in is unread for everybody except the person who signed in', async () => {
  await sql`
    insert into alerts (kind, cause, text, target_type, target_id, opened_at)
    values ('new_sign_in', '1', 'grace@example.com signed in.', 'user', ${grace.admin.id}, now())`.execute(db)
  expect(await list()).toMatchObject({ unread: 1, alerts: [{ is_unread: true }] })
  expect(await list(grace)).toMatchObject({ unread: 0, alerts: [{ is_unread: false }] })
})

test('every kind has a rule, which a super admin changes and the audit log has', async () => {
  const before = await rules()
  expect(before.rules.map(({ kind }) => kind)).toEqual(Object.keys(ALERT_KINDS))
  expect(before).toMatchObject({ is_mail_on: true, settings: { quiet_hours: null, digest_minutes: 5 } })
  expect(before.people).toMatchObject([
    { email: 'ada@example.com', is_super_admin: true },
    { email: 'grace@example.com', is_super_admin: false },
  ])
  const body = { threshold: 50, user_ids: [grace.admin.id] }
  const changed = await change('keys_refused', body)
  expect([changed.statusCode, changed.json()]).toMatchObject([200, { kind: 'keys_refused', is_on: true, ...body }])
  expect(await lastAudit()).toMatchObject({
    action: 'alerts.update_rule',
    changes: {
      kind: { after: 'keys_refused' },
      threshold: { before: 10, after: 50 },
      user_ids: { before: null, after: [grace.admin.id] },
    },
  })
  expect((await change('keys_refused', { user_ids: null })).json()).toMatchObject({ threshold: 50, user_ids: null })
  expect((await rules()).rules.find(({ kind }) => kind === 'keys_refused')).toMatchObject({ threshold: 50 })
  const { seq } = await lastAudit()
  await change('keys_refused', { threshold: 50 })
  expect((await lastAudit()).seq).toBe(seq)
})

test('numbers outside of the limits, strangers, unknown kinds and other roles are refused', async () => {
  const detail = async (kind: string, body: object) => (await change(kind, body)).json().detail[0].msg
  expect(await detail('task_failing', { threshold: 4 })).toBe('Use a number from 1 to 3.')
  expect(await detail('key_leaked', { threshold: 4 })).toBe('This kind has no number.')
  const { id: tenant_id } = await makeTenant(db)
  const user = await makeUser(db, { role: 'user', tenant_id })
  expect(await detail('key_leaked', { user_ids: [user.id] })).toBe(
    'One of these people is not an active member of the team.',
  )
  expect(await detail('key_leaked', { webhook_ids: [user.id] })).toBe('One of these webhooks does not exist or is off.')
  const webhook = await makeWebhook(db, { description: 'Chat' })
  expect((await rules()).webhooks).toEqual([{ id: webhook.id, name: 'Chat' }])
  expect((await change('key_leaked', { webhook_ids: [webhook.id] })).json()).toMatchObject({
    webhook_ids: [webhook.id],
  })
  expect((await change('coffee', { is_on: true })).statusCode).toBe(422)
  expect((await change('key_leaked', { is_on: false }, grace)).statusCode).toBe(403)
  expect((await rules(grace)).rules.find(({ kind }) => kind === 'key_leaked')).toMatchObject({ is_on: true })
})

test('quiet hours and the time between messages are saved and audited', async () => {
  const save = async (body: object) => await ada.call({ method: 'PUT', url: `${URL}/settings`, body })
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }
  expect((await save({ quiet_hours, digest_minutes: 30 })).json()).toEqual({ quiet_hours, digest_minutes: 30 })
  expect(await lastAudit()).toMatchObject({
    action: 'alerts.update_settings',
    changes: { quiet_hours: { before: null, after: quiet_hours }, digest_minutes: { before: 5, after: 30 } },
  })
  expect((await rules()).settings).toEqual({ quiet_hours, digest_minutes: 30 })
  expect((await save({ quiet_hours: { ...quiet_hours, from: '24:00' }, digest_minutes: 30 })).statusCode).toBe(422)
  expect((await save({ quiet_hours: { ...quiet_hours, from: '07:00' }, digest_minutes: 30 })).statusCode).toBe(422)
  expect((await save({ quiet_hours: null, digest_minutes: 0 })).statusCode).toBe(422)
  expect((await save({ quiet_hours: null, digest_minutes: 5 })).json()).toMatchObject({ quiet_hours: null })
})

test('without a worker, admin-api opens the alert once, sends its mail itself, and resolves it later', async () => {
  const worker = { host: 'a', pid: 1, started_at: '2026-11-20T09:00:00.000Z', last_job_at: null }
  let [is_live, seen_at] = [true, new Date().toISOString()]
  const queued: string[] = []
  const deps = {
    ...api.deps,
    queue: { enqueue: async () => undefined, workers: async () => [{ ...worker, seen_at, is_live }] },
    mails: { enqueue: async (_: unknown, job: object) => void queued.push(JSON.stringify(job)) },
  }
  const states = async () =>
    (await db.selectFrom('alerts').selectAll().execute()).map(({ kind, resolved_at }) => [kind, resolved_at !== null])
  await checkWorkers(deps, 3_600_000)
  is_live = false
  await checkWorkers(deps, 3_600_000)
  expect(await states()).toEqual([])

  seen_at = new Date(Date.now() - 6 * 60_000).toISOString()
  // All servers have just started.
  await checkWorkers(deps, 60_000)
  expect(await states()).toEqual([])
  await Promise.all([checkWorkers(deps, 3_600_000), checkWorkers(deps, 3_600_000)])
  await checkWorkers(deps, 3_600_000)
  expect(await states()).toEqual([['worker_silent', false]])
  expect(mailbox.mails).toMatchObject([
    {
      subject: 'Switchboard: Workers are silent',
      to: { value: [{ address: 'ada@example.com' }] },
      text: expect.stringMatching(
        /^No worker has run for 5 minutes\.\n[^]*\nhttps:\/\/console\.example\.com\/settings\/system\n/,
      ),
    },
  ])
  // A worker that comes back finds the mail sent.
  expect(queued).toHaveLength(1)
  expect(await db.selectFrom('alert_mails').select(['mail_state']).execute()).toEqual([{ mail_state: 'sent' }])

  is_live = true
  await checkWorkers(deps, 3_600_000)
  expect(await states()).toEqual([['worker_silent', true]])
  expect(mailbox.mails).toHaveLength(1)
})

test('the alert also tells that workers run and do not look for causes, until they do', async () => {
  const [started_at, seen_at] = ['2026-11-20T09:00:00.000Z', new Date().toISOString()]
  const worker = { host: 'a', pid: 1, started_at, seen_at, is_live: true, last_job_at: null }
  const queued: object[] = []
  const deps = {
    ...api.deps,
    queue: { enqueue: async () => undefined, workers: async () => [worker] },
    mails: { enqueue: async (_: unknown, job: object) => void queued.push(job) },
  }
  const looked = async (minutes: number | null) => {
    const evaluated_at = minutes === null ? null : new Date(Date.now() - minutes * 60_000)
    await db.updateTable('alert_reader').set({ evaluated_at }).execute()
  }
  const open = async () => (await list()).alerts.filter(({ resolved_at }) => resolved_at === null)
  await looked(4)
  await checkWorkers(deps, 3_600_000)
  await looked(6)
  await checkWorkers(deps, 60_000)
  expect(await open()).toEqual([])
  await checkWorkers(deps, 3_600_000)
  expect(await open()).toMatchObject([
    { kind: 'worker_silent', text: 'Workers run, but none has looked for causes of alerts for 5 minutes.' },
  ])
  // Another admin-api has just started. And a worker sends the mail.
  await checkWorkers(deps, 0)
  expect([await open(), queued, mailbox.mails]).toMatchObject([[{}], [{}], []])
  await looked(0)
  await checkWorkers(deps, 0)
  expect(await open()).toEqual([])
  await looked(null)
  await checkWorkers(deps, 3_600_000)
  expect(await open()).toHaveLength(1)
})

test('the mail about silent workers is sent again to a busy mail server', async () => {
  const deps = {
    ...api.deps,
    queue: { enqueue: async () => undefined, workers: async () => [] },
    mails: { enqueue: async () => undefined },
  }
  mailbox.behave(421)
  await checkWorkers(deps, 60_000)
  await checkWorkers(deps, 300_000)
  expect(await db.selectFrom('alert_mails').select(['mail_state', 'mail_problem']).execute()).toMatchObject([
    { mail_state: 'queued', mail_problem: expect.stringContaining('421') },
  ])
  mailbox.behave('take')
  await db
    .updateTable('alert_mails')
    .set({ attempted_at: new Date(Date.now() - 20_000) })
    .execute()
  await checkWorkers(deps, 300_000)
  expect(mailbox.mails).toHaveLength(1)
})
