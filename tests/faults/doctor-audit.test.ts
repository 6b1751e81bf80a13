import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { makeUser } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { makeDelivery, makeWebhook } from '@switchboard/testing/webhook-factory'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dataChecks } from '#scripts/doctor/database-checks.ts'
import { findingsOf } from '#scripts/doctor/finding.ts'

const actor = { id: null, email: 'command line', address: null, request_id: null }
const entry = { action: 'tenants.create' }

async function database() {
  const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const findingOf = async (check: string, env: Record<string, string> = {}) => {
    const checks = dataChecks({ main: db, direct: db, urls: { url, directUrl: url }, settings: parseSettings(env) })
    const found = (await Array.fromAsync(findingsOf(checks))).find((finding) => finding.check === check)
    return `${found?.state}: ${found?.text}`
  }
  return { db, findingOf }
}

test('an entry that no worker has sealed for more than a minute is a warning', async () => {
  const { db, findingOf } = await database()
  const write = async (at: Date) => await db.transaction().execute((trx) => writeAudit(trx, at, actor, entry))
  await write(new Date())
  expect(await findingOf('audit log')).toMatch(/^ok: 0 rows hold, after 0 deleted ones; 1 entries are not sealed yet\./)
  await write(new Date(Date.now() - 300_000))
  expect(await findingOf('audit log')).toMatch(
    /^warning: .* The oldest unsealed entry is 3\d\d s old, and until it is sealed, the owner of the database can change it without a trace\./,
  )
})

test('a log sink that fails or is late is a warning, and so is a month that it holds back', async () => {
  const { db, findingOf } = await database()
  const settings = { AUDIT_RETENTION: '12' }
  expect(await findingOf('log shipping')).toBe('ok: No log sink is on.')
  expect(await findingOf('log shipping', settings)).toMatch(/^warning: AUDIT_RETENTION is set, but deletes nothing/)
  await db.transaction().execute((trx) => writeAudit(trx, new Date('2024-01-05'), actor, entry))
  await sealAudit(db)
  const address = 'logs.example.com:6514'
  await makeLogSink(db, { kind: 'syslog', name: 'Vault', address })
  expect(await findingOf('log shipping', settings)).toMatch(
    /^warning: The log sink "Vault" is \d+ s behind\. Start a worker, or read its log\. AUDIT_RETENTION cannot delete 2024-01: The log sink "Vault" does not have 2024-01 yet\.$/,
  )
  await db.updateTable('log_sinks').set({ position: 1 }).execute()
  expect(await findingOf('log shipping', settings)).toBe('ok: All 1 log sinks that are on have the audit log.')
  const problem = 'Nothing answers at this address.'
  await db
    .updateTable('log_sinks')
    .set({ problem, failing_since: new Date('2026-01-01') })
    .execute()
  expect(await findingOf('log shipping')).toBe(
    `warning: The log sink "Vault" fails since 2026-01-01T00:00:00.000Z: ${problem}`,
  )
})

test('alerts that no worker looks for are a warning, and so are mails about them that were given up', async () => {
  const { db, findingOf } = await database()
  expect(await findingOf('alerts')).toBe('warning: No worker has looked for causes yet. Start a worker.')
  const lookedAt = (ms: number) =>
    db
      .updateTable('alert_reader')
      .set({ evaluated_at: new Date(Date.now() - ms) })
      .execute()
  await lookedAt(600_000)
  expect(await findingOf('alerts')).toMatch(/^warning: No worker has looked for causes for 6\d\d s\./)
  await lookedAt(0)
  expect(await findingOf('alerts')).toMatch(/^ok: 0 are open\. A worker looked for causes \d+ s ago\.$/)
  await db
    .insertInto('alert_mails')
    .values({ mail_to: 'x@example.com', opened: [], resolved: [], mail_state: 'failed', mail_problem: 'No spam.' })
    .execute()
  expect(await findingOf('alerts')).toBe(
    'warning: 1 mails of the last day were not sent: No spam. Check the mail server.',
  )
})

test('a webhook that was switched off is a warning, and so is a delivery that has waited for more than an hour', async () => {
  const { db, findingOf } = await database()
  expect(await findingOf('webhooks')).toBe('ok: None is on.')
  const { id: webhook_id } = await makeWebhook(db, { url: 'https://billing.example.com/events?token=secret' })
  expect(await findingOf('webhooks')).toBe('ok: All 1 that are on get their events.')
  const waiting = { state: 'retrying', ended_at: null } as const
  const began_at = new Date(Date.now() - 7_200_000)
  const { id } = await makeDelivery(db, { webhook_id, ...waiting, began_at })
  expect(await findingOf('webhooks')).toMatch(
    /^warning: A delivery to the webhook "https:\/\/billing\.example\.com" has waited for 7[2-4]\d\d s\. Its page has the reason; without an attempt, start a worker\.$/,
  )
  // A replay begins again.
  await db.updateTable('webhook_deliveries').set({ began_at: null }).where('id', '=', id).execute()
  expect(await findingOf('webhooks')).toMatch(/^ok/)
  await db
    .updateTable('webhooks')
    .set({ description: 'Billing', is_active: false, disabled_reason: 'failing', disabled_at: new Date() })
    .execute()
  expect(await findingOf('webhooks')).toBe(
    'warning: The webhook "Billing" was switched off, because no delivery succeeded for three days. Switch it on when its receiver works, or delete it.',
  )
})

test('a member whom no entry of the audit log created is a failure', async () => {
  const { db, findingOf } = await database()
  expect(await findingOf('access')).toBe('ok: The audit log explains the access of each member and service token.')
  const { id } = await makeUser(db, { email: 'eve@example.com' })
  expect(await findingOf('access')).toBe(
    `failed: Access that the audit log does not explain (1): member ${id} "eve@example.com", super_admin: no entry of the audit log created it. Remove it if none of you created it.`,
  )
})
