import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import { type AlertKind, alertKind, alertList } from '@switchboard/contract/signals/alerts'
import { alertRules } from '@switchboard/database/alerts/alert-rules.queries'
import { endOfLog } from '@switchboard/database/audit/read-log'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createMailer } from '@switchboard/mail/mailer'
import { createPlacesClient } from '@switchboard/places/places.client'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { createLogger } from '@switchboard/server/process/log'
import { makeApiKey, makeReview, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeCalls } from '@switchboard/testing/key-calls-factory'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { startMailbox } from '@switchboard/testing/mailbox'
import { startReceiver } from '@switchboard/testing/receiver'
import { makeWebhook, WEBHOOK_SECRET } from '@switchboard/testing/webhook-factory'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { PASSWORD, startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { checkWorkers } from '#apps/admin-api/src/signals/alerts/worker-silence.service.ts'
import { checkChainDaily } from '#apps/worker/src/activity/chain-check.service.ts'
import { createWebhookClient } from '#apps/worker/src/signals/webhooks/webhook.client.ts'
import { WORKER_DEFAULTS } from '#apps/worker/src/testing/worker-defaults.ts'
import { createWorker } from '#apps/worker/src/worker.ts'

// admin-api, a worker, a mail server and receivers of webhooks, as in production.

const CONSOLE = 'https://console.example.com'
const WAIT = { timeout: 60_000, interval: 100 }

const mailbox = await startMailbox()
const receiver = await startReceiver()
const from = { address: 'console@example.com' }
const mailer = createMailer({ smtpUrl: mailbox.url, from, consoleUrl: CONSOLE }, 'Switchboard')
const log = createLogger('silent')
const api = await startTestApi({
  mailer,
  now: () => new Date(),
  mails: { enqueue: (trx, job) => queue.mails.enqueue(trx, job) },
})
const { db, databaseUrl } = api
const queue = await openRunQueue({ db, directUrl: databaseUrl, log, isWorker: false })
const ada = await api.signIn('ada@example.com')
afterAll(async () => {
  await queue.stop()
  await Promise.all([mailbox.close(), receiver.close()])
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const newTenant = () => makeTenant(db, { name: 'Harbor Dental', active_admin_count: 1 })
const newKey = async (fields: Partial<Parameters<typeof makeApiKey>[1]> = {}) =>
  await makeApiKey(db, { tenant_id: (await newTenant()).id, name: 'Portal', ...fields })
const newTask = async (fields: Partial<Parameters<typeof makeTask>[1]> = {}) =>
  await makeTask(db, {
    tenant_id: (await newTenant()).id,
    extra_data: { place_id: 'ChIJ1', place_name: 'Harbor Dental Pier' },
    ...fields,
  })
const update = (table: 'api_keys' | 'tasks' | 'webhooks' | 'log_sinks', id: string, fields: object) =>
  db.updateTable(table).set(fields).where('id', '=', id).execute()
const hourAgo = (hours = 1) => new Date(Date.now() - hours * 3_600_000)

/** Makes the cause of an alert, and returns what ends it. Something that only happens has no end. */
type Cause = { make: () => Promise<(() => Promise<unknown>) | null>; text: string; link: RegExp }

const KEY = /\/keys\?key=[\da-f-]{36}$/
const CAUSES: Record<AlertKind, Cause> = {
  key_leaked: {
    make: async () => {
      const { id } = await newKey({ reported_at: new Date() })
      return () => update('api_keys', id, { is_active: false, revoked_at: new Date() })
    },
    text: 'The API key “Portal” of Harbor Dental was reported as leaked.',
    link: KEY,
  },
  keys_refused: {
    make: async () => {
      const { id } = await newKey()
      await makeCalls(db, id, 'expired', { count: 12 })
      return () => makeCalls(db, id, 'valid')
    },
    text: 'All calls of Harbor Dental are refused: 12 in this hour and the one before.',
    link: /\/tenants\/[\da-f-]{36}\/keys$/,
  },
  refusals_high: {
    make: async () => {
      const { id } = await newKey()
      await makeCalls(db, id, 'origin_refused', { count: 1_000 })
      await makeCalls(db, id, 'valid')
      return () => db.deleteFrom('api_key_calls').where('api_key_id', '=', id).execute()
    },
    text: '1,000 calls of the API key “Portal” of Harbor Dental were refused in this hour and the one before.',
    link: KEY,
  },
  key_expiring: {
    make: async () => {
      const { id } = await newKey({ expires_at: inDays(10) })
      return () => update('api_keys', id, { expires_at: inDays(90) })
    },
    text: 'The API key “Portal” of Harbor Dental expires within 14 days, on ',
    link: KEY,
  },
  task_failing: {
    make: async () => {
      const paused_reason = 'Paused after 3 failures in a row: Google Maps does not know this place.'
      const { id } = await newTask({ is_paused: true, paused_reason })
      return () => update('tasks', id, { is_paused: false, paused_reason: null })
    },
    text: 'The task “Harbor Dental Pier” of Harbor Dental was paused after 3 failures in a row: Google Maps does not know this place.',
    link: /\/tasks\/[\da-f-]{36}$/,
  },
  runs_late: {
    make: async () => {
      const { id } = await newTask({ next_run: sql<Date>`now() - interval '20 minutes'` })
      // Another worker has taken the task and hangs.
      const trx = await db.startTransaction().execute()
      onTestFinished(async () => void (trx.isCommitted || (await trx.rollback().execute())))
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      await trx.selectFrom('tasks').select('id').where('id', '=', id).forUpdate().execute()
      return async () => {
        await trx
          .updateTable('tasks')
          .set({ next_run: inDays(1) })
          .where('id', '=', id)
          .execute()
        await trx.commit().execute()
      }
    },
    text: 'One run is late for more than 15 minutes.',
    link: /\/tasks\?state=late$/,
  },
  tenant_without_admin: {
    make: async () => {
      const { id } = await makeTenant(db, { name: 'Harbor Dental', created_at: inDays(-9) })
      return () => makeUser(db, { role: 'admin', tenant_id: id })
    },
    text: 'Harbor Dental has no active admin.',
    link: /\/tenants\/[\da-f-]{36}\/users$/,
  },
  low_rating: {
    make: async () => {
      const { id } = await newTask()
      await makeReview(db, { task_id: id, rating: 2 })
      return null
    },
    text: '“Harbor Dental Pier” of Harbor Dental got a review with 2 stars.',
    link: /\/tenants\/[\da-f-]{36}\/reviews\?attention=reviews_low$/,
  },
  worker_silent: {
    make: async () => {
      await checkSilence()
      return checkSilence
    },
    text: 'No worker has run for 5 minutes.',
    link: /\/settings\/system$/,
  },
  backup_late: {
    make: async () => {
      const backup = { kind: 'backup', made_by: 'server', bytes: 1, audit_seq: 1 } as const
      await db
        .insertInto('backups')
        .values({ ...backup, at: hourAgo(27) })
        .execute()
      return () => db.insertInto('backups').values(backup).execute()
    },
    text: 'The newest backup is 27 hours old.',
    link: /\/settings\/system$/,
  },
  chain_broken: {
    make: async () => {
      await sealAudit(db)
      await changeAction('auth.logout')
      await checkChain()
      return async () => {
        await changeAction('auth.login')
        await checkChain()
      }
    },
    text: 'The chain breaks at row 1.',
    link: /\/settings\/activity$/,
  },
  mail_failing: {
    make: async () => {
      // The mails about all of these alerts are sent. These stay the newest ones.
      const refused = { mail_to: 'x@example.com', opened: [], resolved: [], created_at: inDays(1) }
      const failed = { ...refused, mail_state: 'failed', mail_problem: 'No spam.' } as const
      await db.insertInto('alert_mails').values([failed, failed, failed]).execute()
      return () => db.deleteFrom('alert_mails').where('mail_problem', '=', 'No spam.').execute()
    },
    text: 'Mail is not sent: No spam.',
    link: /\/settings\/system$/,
  },
  webhook_failing: {
    make: async () => {
      const { id } = await makeWebhook(db, {
        description: 'Billing',
        event_types: ['tenant.purged'],
        failing_since: hourAgo(),
      })
      return () => update('webhooks', id, { failing_since: null })
    },
    text: 'Deliveries to the webhook Billing have failed since ',
    link: /\/settings\/webhooks\/[\da-f-]{36}$/,
  },
  log_sink_late: {
    make: async () => {
      const problem = { problem: 'Nothing answers at this address.', failing_since: hourAgo() }
      const { id } = await makeLogSink(db, {
        kind: 'syslog',
        name: 'Vault',
        address: 'logs.example.com:6514',
        ...problem,
      })
      return () => update('log_sinks', id, { problem: null, failing_since: null })
    },
    text: 'The log sink “Vault” has failed since ',
    link: /\/settings\/log-shipping$/,
  },
  new_sign_in: {
    make: async () => {
      const body = { email: 'ada@example.com', password: PASSWORD }
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
      await api.call({ method: 'POST', url: '/api/v1/admin/auth/login', body, headers })
      return null
    },
    text: 'ada@example.com signed in from a new device or network: Firefox on Linux, 127.0.0.1.',
    link: /\/settings\/activity\?actor=[\da-f-]{36}$/,
  },
  access_changed: {
    make: async () => {
      const { id } = await makeUser(db, { email: 'grace@example.com', role: 'auditor' })
      await ada.call({ method: 'PATCH', url: `/api/v1/admin/team/${id}`, body: { role: 'support' } })
      return null
    },
    text: 'The role of grace@example.com was changed from auditor to support by ada@example.com.',
    link: /\/settings\/team$/,
  },
}

/** Looks for workers, as an admin-api that has run for an hour. */
const checkSilence = () => checkWorkers({ ...api.deps, queue, mails: queue.mails, publicUrl: CONSOLE }, 3_600_000)

/** Changes the first row of the log by the owner of the database. */
async function changeAction(action: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`alter table audit_log disable trigger user`.execute(trx)
    await sql`update audit_log set action = ${action} where seq = 1`.execute(trx)
    await sql`alter table audit_log enable trigger user`.execute(trx)
  })
}

/** The daily check of the chain. */
async function checkChain(): Promise<void> {
  const check = checkChainDaily({ db, log })
  await vi.waitFor(() => expect(check.last().atMs).toBeGreaterThan(0), WAIT)
  await check.stop()
}

/** A person and a chat for each kind, which no other rule tells. */
async function tellSeparately(): Promise<void> {
  const ruleOf = await alertRules(db)
  const seq = await endOfLog(db)
  const hook = async (format: 'slack' | 'teams' | 'standard', path: string) => {
    const url = new URL(path, receiver.url).href
    const address = format === 'standard' ? { url } : { secret: Buffer.from(url) }
    return (await makeWebhook(db, { format, description: path, event_types: ['alert.notified'], seq, ...address })).id
  }
  const others = [await hook('teams', '/teams'), await hook('standard', '/standard')]
  for (const kind of alertKind.options) {
    const person = await makeUser(db, { email: `${kind}@example.com`, role: 'support' })
    const webhook_ids = [await hook('slack', `/${kind}`), ...(kind === 'key_leaked' ? others : [])]
    await db
      .insertInto('alert_rules')
      .values({ ...ruleOf(kind), is_on: true, user_ids: [person.id], webhook_ids })
      .execute()
  }
}

const mailsTo = (kind: string) =>
  mailbox.mails.filter(({ to }) => [to].flat().some((one) => one?.text === `${kind}@example.com`))
const messagesTo = (path: string) =>
  receiver.received.filter((request) => request.path === `/${path}`).map(({ body }) => JSON.parse(body))
const bell = async () => alertList.parse((await ada.call({ method: 'GET', url: '/api/v1/admin/alerts' })).json()).alerts

/** Waits until every one of these kinds was told `count` times by mail and in its chat. */
async function waitUntilTold(kinds: readonly AlertKind[], count: number): Promise<void> {
  const told = () => kinds.map((kind) => [kind, mailsTo(kind).length, messagesTo(kind).length])
  await vi.waitFor(() => expect(told()).toEqual(kinds.map((kind) => [kind, count, count])), WAIT)
}

test('every kind is told once by mail, at the bell and in a chat, and again when it is over', async () => {
  await tellSeparately()
  await db
    .updateTable('alert_reader')
    .set({ seq: await endOfLog(db) })
    .execute()
  const ends = new Map<AlertKind, () => Promise<unknown>>()
  for (const kind of alertKind.options) {
    const end = await CAUSES[kind].make()
    if (end !== null) ends.set(kind, end)
  }
  await sealAudit(db)
  // The message about silent workers was the last one.
  await db.updateTable('alert_reader').set({ told_at: null }).execute()
  const places = createPlacesClient({ url: 'http://127.0.0.1:1', apiKey: 'any', now: () => new Date() })
  const webhookClient = createWebhookClient({ guard: createAddressGuard(['127.0.0.0/8']) })
  const worker = await createWorker({
    ...WORKER_DEFAULTS,
    db,
    directUrl: databaseUrl,
    log,
    places,
    mailer,
    webhookClient,
    publicUrl: CONSOLE,
  })
  onTestFinished(async () => {
    await worker.stop()
    await Promise.all([places.close(), webhookClient.close()])
  })
  await worker.start()
  await waitUntilTold(alertKind.options, 1)

  const opened = await bell()
  expect(opened.map(({ kind }) => kind).toSorted()).toEqual(alertKind.options.toSorted())
  for (const alert of opened) {
    const { text, link } = CAUSES[alert.kind]
    // The sign-in is the reader's.
    const is_unread = alert.kind !== 'new_sign_in'
    expect(alert).toMatchObject({ text: expect.stringContaining(text), resolved_at: null, is_unread })
    const [mail] = mailsTo(alert.kind)
    expect(mail).toMatchObject({ subject: `Switchboard: ${ALERT_KINDS[alert.kind].label}` })
    expect(mail?.text).toContain(alert.text)
    const [url = '', ...otherUrls] = mail?.text?.match(/https:\/\/\S+/g) ?? []
    expect(url).toMatch(link)
    expect(otherUrls).toEqual([CONSOLE])
    expect(messagesTo(alert.kind)).toMatchObject([
      { text: expect.stringContaining(url), blocks: [{ type: 'section', text: { text: `${alert.text} ${url}` } }, {}] },
    ])
  }
  const [card] = messagesTo('teams')
  expect(JSON.stringify(card)).toContain(CAUSES.key_leaked.text)
  expect(card).toMatchObject({ attachments: [{ content: { type: 'AdaptiveCard' } }] })
  const standard = receiver.received.find(({ path }) => path === '/standard')
  const header = (name: string) => String(standard?.headers[`webhook-${name}`])
  const headers = Object.fromEntries(['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, header(name)]))
  expect(new Webhook(WEBHOOK_SECRET).verify(standard?.body ?? '', headers)).toMatchObject({
    type: 'alert.notified',
    reason: expect.stringContaining(CAUSES.key_leaked.text),
  })

  for (const end of ends.values()) await end()
  await db.updateTable('alert_reader').set({ told_at: null }).execute()
  await waitUntilTold([...ends.keys()], 2)
  for (const alert of await bell()) {
    const isOver = ends.has(alert.kind)
    expect([alert.kind, alert.resolved_at !== null]).toEqual([alert.kind, isOver])
    if (!isOver) continue
    expect(mailsTo(alert.kind)[1]).toMatchObject({
      subject: `Switchboard: Resolved: ${ALERT_KINDS[alert.kind].label}`,
      text: expect.stringContaining(`Resolved: ${alert.text}`),
    })
    expect(messagesTo(alert.kind)[1]).toMatchObject({ text: expect.stringContaining(`Resolved: ${alert.text}`) })
  }
  expect([...alertKind.options].filter((kind) => !ends.has(kind))).toEqual(
    alertKind.options.filter((kind) => ALERT_KINDS[kind].is_event === true),
  )
}, 180_000)
