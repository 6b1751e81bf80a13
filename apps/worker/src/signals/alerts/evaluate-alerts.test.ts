import type { AlertKind } from '@switchboard/contract/signals/alerts'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { connect } from '@switchboard/database/connection/connect'
import { createMailer } from '@switchboard/mail/mailer'
import { makeApiKey, makeReview, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { makeWebhook } from '@switchboard/testing/webhook-factory'
import { startMailbox } from '@switchboard/testing/mailbox'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'
import { evaluateAlerts } from './evaluate-alerts.service.ts'
import { deleteOldAlerts } from './old-alerts.queries.ts'
import { sendAlertMail } from './send-alert-mail.job.ts'

const mailbox = await startMailbox()
const mailer = createMailer(
  { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
// The worker takes no jobs and does not look by itself.
const { db, databaseUrl, worker } = await startTestWorker({ mailer, isStarted: false })
afterAll(() => mailbox.close())
const ada = await makeUser(db, { email: 'ada@example.com', role: 'super_admin' })
await evaluateAlerts(worker.deps)

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const tenantNamed = (name: string, fields = {}) =>
  makeTenant(db, { name, created_at: inDays(-9), active_admin_count: 1, ...fields })
const keyOf = async (fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) => {
  const { id: tenant_id } = await tenantNamed('Harbor Dental')
  return await makeApiKey(db, { tenant_id, name: 'Portal', ...fields })
}
const turn = (kind: AlertKind, is_on: boolean, threshold: number | null = null) =>
  db
    .insertInto('alert_rules')
    .values({ kind, is_on, is_urgent: false, threshold })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ is_on, threshold }))
    .execute()
/** Looks, as if the last message were long ago, and sends the planned mails. */
const look = async () => {
  await db.updateTable('alert_reader').set({ told_at: null }).execute()
  await evaluateAlerts(worker.deps)
  const queued = await db.selectFrom('alert_mails').select('id').where('mail_state', '=', 'queued').execute()
  for (const { id } of queued) await sendAlertMail(worker.deps, { alert_mail_id: id })
}
const alerts = () => db.selectFrom('alerts').selectAll().orderBy('seq').execute()
const texts = () => mailbox.mails.map(({ text }) => text ?? '')
beforeEach(async () => {
  await db.deleteFrom('tenants').execute()
  await db.deleteFrom('backups').execute()
  await db.deleteFrom('alerts').execute()
  await db.deleteFrom('alert_mails').execute()
  await db.deleteFrom('alert_rules').execute()
  await db.deleteFrom('users').where('id', '<>', ada.id).execute()
  await db.updateTable('alert_settings').set({ quiet_from: null, quiet_to: null, quiet_zone: null }).execute()
  await look()
  mailbox.mails.length = 0
  mailbox.behave('take')
})

const update = (table: 'api_keys' | 'webhooks', id: string, fields: object) =>
  db.updateTable(table).set(fields).where('id', '=', id).execute()

/** Writes an entry of the audit log, as admin-api does, and seals it. */
async function log(action: string, changes: Record<string, unknown>) {
  const actor = { id: ada.id, email: ada.email, address: '203.0.113.4', request_id: null }
  const after = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, { before: null, after: value }]),
  )
  await db.transaction().execute((trx) =>
    writeAudit(trx, new Date(), actor, {
      action,
      target: { type: 'user', id: ada.id, name: ada.email, tenant_id: null },
      changes: after,
    }),
  )
  await sealAudit(db)
}

test('a sign-in from a new place, a new second factor and a new role are told once and never resolved', async () => {
  await log('auth.login', { device: 'Firefox on Linux', method: 'password' })
  await log('auth.login', { device: 'Safari on iOS', method: 'password', is_new_place: true })
  await log('second_factors.add_totp', { name: 'Phone' })
  await log('team.update', { role: 'auditor' })
  await log('team.update', { is_active: false })
  await log('team.update', { is_active: true, role: 'support' })
  await log('single_sign_on.session', { email: ada.email, role: 'support' })
  await look()
  await look()
  expect(await alerts()).toMatchObject([
    {
      kind: 'new_sign_in',
      text: 'ada@example.com signed in from a new device or network: Safari on iOS, 203.0.113.4.',
    },
    { kind: 'access_changed', text: 'ada@example.com added an authenticator app.' },
    { kind: 'access_changed', text: expect.stringMatching(/^The role of ada@example.com was changed .*to auditor by/) },
    { kind: 'access_changed', text: expect.stringMatching(/^The role of ada@example.com was changed .*to support by/) },
    { kind: 'access_changed', text: 'ada@example.com joined the team.' },
  ])
  expect(mailbox.mails.map(({ subject }) => subject)).toEqual([
    'Switchboard: 5 alerts: Sign-in from a new place, Second factor or role changed',
  ])
})

test('a low rating is told once, while its rule is on', async () => {
  const { id: tenant_id } = await tenantNamed('Harbor Dental')
  const extra_data = { place_id: 'ChIJ1', place_name: 'Harbor Dental Pier' }
  const { id: task_id } = await makeTask(db, { tenant_id, extra_data })
  await makeReview(db, { task_id, rating: 2 })
  await look()
  expect(await alerts()).toEqual([])
  await turn('low_rating', true, 2)
  await look()
  expect(texts()).toEqual([expect.stringContaining('“Harbor Dental Pier” of Harbor Dental got a review with 2 stars.')])
  await db.deleteFrom('reviews').execute()
  await look()
  expect(await alerts()).toMatchObject([{ resolved_at: null }])
  expect(mailbox.mails).toHaveLength(1)
})

test('mails that the server refuses are told in the console', async () => {
  for (const state of ['failed', 'queued'] as const)
    await db
      .insertInto('alert_mails')
      .values({ mail_to: 'x@example.com', opened: [], resolved: [], mail_state: state, mail_problem: 'No spam.' })
      .execute()
  await evaluateAlerts(worker.deps)
  expect(await alerts()).toMatchObject([{ kind: 'mail_failing', text: 'Mail is not sent: No spam.' }])
})

test('a key alerts again three days before its expiry and when it has expired, each in place of the alert before', async () => {
  const { id } = await keyOf({ expires_at: inDays(10) })
  await look()
  await update('api_keys', id, { expires_at: inDays(2) })
  await look()
  await update('api_keys', id, { expires_at: sql<Date>`now() - interval '1 minute'` })
  await look()
  expect((await alerts()).map(({ cause, resolved_at }) => [cause.split(' ')[1], resolved_at !== null])).toEqual([
    ['14', true],
    ['3', true],
    ['0', false],
  ])
  expect(texts().map((text) => /within 14 days|within 3 days|expired on/.exec(text)?.[0])).toEqual([
    'within 14 days',
    'within 3 days',
    'expired on',
  ])
  const replaced = await db
    .selectFrom('audit_entries')
    .select('changes')
    .where('action', '=', 'alerts.resolve')
    .execute()
  expect(replaced.filter(({ changes }) => changes['is_replaced']?.after === true)).toHaveLength(2)
  // An expired key that nobody mends is not resolved, only old.
  await db
    .updateTable('alerts')
    .set({ opened_at: inDays(-7) })
    .execute()
  await update('api_keys', id, { expires_at: inDays(-8) })
  await look()
  expect(mailbox.mails).toHaveLength(3)
})

test('a webhook alerts when it has failed for an hour, and again when it is switched off', async () => {
  const { id } = await makeWebhook(db, { description: 'Billing', failing_since: new Date() })
  await look()
  expect(await alerts()).toEqual([])
  await update('webhooks', id, { failing_since: new Date('2026-11-29T02:05:00Z') })
  await look()
  await update('webhooks', id, { is_active: false, disabled_reason: 'failing', disabled_at: new Date() })
  await look()
  await update('webhooks', id, { is_active: true, disabled_reason: null, disabled_at: null, failing_since: null })
  await look()
  expect((await alerts()).map(({ text, news }) => [text, news])).toEqual([
    ['Deliveries to the webhook Billing have failed since 29 November 2026, 02:05 UTC.', null],
    ['The webhook Billing was switched off: no delivery succeeded for three days.', null],
  ])
  expect(mailbox.mails.map(({ subject }) => subject)).toEqual([
    'Switchboard: Webhook fails',
    'Switchboard: Webhook fails',
    'Switchboard: Resolved: Webhook fails',
  ])
  await db.deleteFrom('webhooks').where('id', '=', id).execute()
})

test('a log sink alerts when an entry has waited for an hour, unless the sink is off', async () => {
  await db
    .transaction()
    .execute((trx) =>
      writeAudit(
        trx,
        new Date(Date.now() - 75 * 60_000),
        { id: null, email: null, address: null, request_id: null },
        { action: 'auth.logout' },
      ),
    )
  await sealAudit(db)
  const { seq } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  const syslog = { kind: 'syslog', address: 'logs.example.com:6514', position: seq - 1 } as const
  const late = await makeLogSink(db, { ...syslog, name: 'Vault' })
  await makeLogSink(db, { ...syslog, name: 'Off', is_on: false })
  await makeLogSink(db, { ...syslog, name: 'New', created_at: new Date() })
  await look()
  expect(await alerts()).toMatchObject([
    { kind: 'log_sink_late', target_id: late.id, text: 'The log sink “Vault” is 75 minutes behind the audit log.' },
  ])
  await db.deleteFrom('log_sinks').execute()
})

test('a thousand causes are one mail, which names ten and leads to the list', async () => {
  const { id: tenant_id } = await tenantNamed('Harbor Dental')
  await sql`
    insert into api_keys (tenant_id, name, key_hash, key_prefix, key_start, key_last4, expires_at)
    select ${tenant_id}, 'Key ' || n, sha256(n::text::bytea), 'sb_live_', 'abcd', 'wxyz', now() + interval '9 days'
    from generate_series(1, 1000) as n`.execute(db)
  await look()
  expect(mailbox.mails.map(({ subject }) => subject)).toEqual(['Switchboard: 1,000 alerts: API key expires'])
  expect(texts()[0]?.match(/expires within 14 days/g)).toHaveLength(10)
  expect(texts()[0]).toContain(
    'API key expires (1,000)\nRotate the key or change its expiry, or delete it if nobody needs it.\n\n',
  )
  expect(texts()[0]?.split('Rotate the key')).toHaveLength(2)
  expect(texts()[0]).toContain('And 990 more.\nhttps://console.example.com/keys?attention=keys_expiring')
  expect(await alerts()).toHaveLength(1_000)
})

test('what opens within the minutes of a digest waits for the next message, and is left out if it ends before', async () => {
  await keyOf({ reported_at: new Date() })
  await look()
  const { id } = await keyOf({ reported_at: new Date() })
  const over = await keyOf({ reported_at: new Date() })
  await evaluateAlerts(worker.deps)
  expect((await alerts()).map(({ news }) => news)).toEqual([null, 'opened', 'opened'])
  await update('api_keys', over.id, { is_active: false, revoked_at: new Date() })
  await look()
  expect(mailbox.mails).toHaveLength(2)
  expect(texts()[1]).toContain(`key=${id}`)
})

/** Sets quiet hours from and to these hours after now. */
async function setQuiet(from: number, to: number): Promise<void> {
  const clock = (hours: number) =>
    sql<string>`to_char((now() + ${hours} * interval '1 hour') at time zone 'Asia/Tokyo', 'HH24:MI')`
  await db
    .updateTable('alert_settings')
    .set({ quiet_from: clock(from), quiet_to: clock(to), quiet_zone: 'Asia/Tokyo' })
    .execute()
}

test('quiet hours hold messages until their end, except urgent ones', async () => {
  await setQuiet(-1, 1)
  await keyOf({ expires_at: inDays(10) })
  await keyOf({ reported_at: new Date() })
  await look()
  expect(texts()).toEqual([expect.stringContaining('was reported as leaked')])
  await setQuiet(1, -1)
  await look()
  expect(texts()[1]).toContain('expires within 14 days')
})

test('any number of alerts that wait for the end of quiet hours hold back no urgent one', async () => {
  await setQuiet(-1, 1)
  onTestFinished(() => setQuiet(1, -1))
  const rule = { is_on: true, is_urgent: false, threshold: 2, user_ids: null }
  await db
    .insertInto('alert_rules')
    .values({ kind: 'low_rating', ...rule })
    .execute()
  await sql`
    insert into alerts (kind, cause, text, opened_at, news)
    select 'low_rating', n, 'A review.', now(), 'opened' from generate_series(1, 20000) as n`.execute(db)
  await keyOf({ reported_at: new Date() })
  await look()
  expect(texts()).toEqual([expect.stringContaining('was reported as leaked')])
})

test('a rule names its recipients, and all super admins get the mails of people who have left', async () => {
  const support = await makeUser(db, { email: 'grace@example.com', role: 'support' })
  const recipients = () => mailbox.recipients.splice(0)
  const tell = async (user_ids: string[] | null) => {
    await db
      .insertInto('alert_rules')
      .values({ kind: 'key_leaked', is_on: true, is_urgent: true, threshold: null, user_ids })
      .onConflict((conflict) => conflict.column('kind').doUpdateSet({ user_ids }))
      .execute()
    await keyOf({ reported_at: new Date() })
    recipients()
    await look()
    return recipients()
  }
  expect(await tell(null)).toEqual(['ada@example.com'])
  expect(await tell([support.id])).toEqual(['grace@example.com'])
  expect(await tell([])).toEqual([])
  await db.updateTable('users').set({ is_active: false }).where('id', '=', support.id).execute()
  expect(await tell([support.id])).toEqual(['ada@example.com'])
})

test('webhooks that rules name are told in one event each, whose audit entry has the sentences', async () => {
  const [chat, other] = [
    await makeWebhook(db, { description: 'Chat' }),
    await makeWebhook(db, { description: 'Other' }),
  ]
  const rule = { is_on: true, is_urgent: true, threshold: null, user_ids: [], webhook_ids: [chat.id] }
  await db
    .insertInto('alert_rules')
    .values({ kind: 'key_leaked', ...rule })
    .execute()
  const { id } = await keyOf({ reported_at: new Date() })
  for (let n = 0; n < 11; n += 1) await keyOf({ reported_at: new Date() })
  await look()
  await update('api_keys', id, { is_active: false, revoked_at: new Date() })
  await look()
  const told = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', '=', 'alerts.notify')
    .orderBy('seq')
    .execute()
  expect(told).toMatchObject([
    { target_type: 'webhook', target_id: chat.id, target_name: 'Chat', changes: { opened: { after: 12 } } },
    { target_id: chat.id, reason: 'Resolved: The API key “Portal” of Harbor Dental was reported as leaked.' },
  ])
  expect(told[0]?.reason?.split('\n')).toHaveLength(11)
  expect(told[0]?.reason).toMatch(/\nAnd 2 more\.$/)
  expect(mailbox.mails).toEqual([])
  await db.deleteFrom('webhooks').where('id', 'in', [chat.id, other.id]).execute()
})

test('a rule that is switched off ends its alerts without a message', async () => {
  await keyOf({ reported_at: new Date() })
  await look()
  await turn('key_leaked', false)
  await look()
  expect(await alerts()).toMatchObject([{ resolved_at: expect.any(String) }])
  expect(mailbox.mails).toHaveLength(1)
})

test('every alert has audit entries of the system about its record', async () => {
  const { id, tenant_id } = await keyOf({ reported_at: new Date() })
  await look()
  await update('api_keys', id, { is_active: false, revoked_at: new Date() })
  await look()
  const entries = await db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).orderBy('seq').execute()
  expect(entries).toMatchObject(
    ['alerts.open', 'alerts.resolve'].map((action) => ({
      action,
      actor_email: 'task worker',
      target_type: 'api_key',
      target_name: 'Portal',
      tenant_id,
      reason: 'The API key “Portal” of Harbor Dental was reported as leaked.',
      changes: { kind: { after: 'key_leaked' } },
    })),
  )
})

test('two workers that look at once open each alert once and send one mail', async () => {
  const other = connect(databaseUrl)
  onTestFinished(() => other.destroy())
  for (let n = 0; n < 20; n += 1) await keyOf({ reported_at: new Date() })
  await db.updateTable('alert_reader').set({ told_at: null }).execute()
  const looked = await Promise.all([
    evaluateAlerts(worker.deps),
    evaluateAlerts({ ...worker.deps, db: other }),
    evaluateAlerts({ ...worker.deps, db: other }),
  ])
  expect(looked).toContain(true)
  expect(await evaluateAlerts(worker.deps, 60_000)).toBe(false)
  expect(await alerts()).toHaveLength(20)
  expect(await db.selectFrom('alert_mails').selectAll().execute()).toMatchObject([{ mail_to: 'ada@example.com' }])
})

test('a mail that is sent again has the same Message-ID', async () => {
  await keyOf({ reported_at: new Date() })
  await look()
  await db.updateTable('alert_mails').set({ mail_state: 'queued' }).execute()
  await look()
  const [first, second] = mailbox.mails.map(({ messageId }) => messageId)
  expect(first).toMatch(/^<[\da-f-]{36}@console\.example\.com>$/)
  expect(second).toBe(first)
})

test('alerts are deleted 90 days after their end, open ones never', async () => {
  const opened_at = inDays(-100)
  const about = { text: 'x', target_type: null, target_id: null, target_name: null, tenant_id: null, opened_at }
  const row = (cause: string, kind: AlertKind, resolved_at: Date | null) => ({
    ...about,
    cause,
    kind,
    resolved_at,
    news: null,
  })
  await db
    .insertInto('alerts')
    .values([
      row('open', 'key_leaked', null),
      row('old', 'key_leaked', inDays(-91)),
      row('recent', 'key_leaked', inDays(-89)),
      row('event', 'new_sign_in', null),
    ])
    .execute()
  await deleteOldAlerts(db)
  expect((await alerts()).map(({ cause }) => cause)).toEqual(['open', 'recent'])
})
