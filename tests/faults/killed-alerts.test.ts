import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@switchboard/database/connection/connect'
import type { Database } from '@switchboard/database/tables'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { startMailbox } from '@switchboard/testing/mailbox'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { type ServerProcess, startWorker } from '#tests/server-process.ts'

const ROUNDS = 3
const CAUSES = 400
/** From the beginning of a look to the kill, at most. A look takes longer. */
const KILL_DELAY_MAX_MS = 60
const WAIT = { timeout: 90_000, interval: 100 }
/** The test starts eight workers, and each round waits for a look. */
const LONG = { timeout: 600_000 }

test('two workers that are killed while they look open each alert once, and plan one mail about it', LONG, async () => {
  const { db, url: databaseUrl, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  // A look holds the lock of the reader, longer than other connections wait.
  const patient = connect(databaseUrl, { max: 1, isPatient: true, onLost: () => undefined })
  onTestFinished(() => patient.destroy())
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.close())
  const settings = {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'console@example.com',
    PUBLIC_URL: 'https://console.example.com',
  }
  await makeUser(db, { email: 'ada@example.com', role: 'super_admin' })
  const { id: tenant_id } = await makeTenant(db)
  let workers: ServerProcess[] = []
  const start = async () => {
    workers = [startWorker({ databaseUrl, settings }), startWorker({ databaseUrl, settings })]
    await Promise.all(workers.map((worker) => worker.ready()))
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    for (const { child } of workers) child.kill(signal)
    await Promise.all(workers.map(({ ended }) => ended))
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    await leakKeys(db, tenant_id)
    await start()
    // No look was long ago, and no message.
    await patient.updateTable('alert_reader').set({ evaluated_at: null, told_at: null }).execute()
    await vi.waitUntil(() => isLooking(db), { ...WAIT, interval: 2 })
    await sleep(Math.random() * KILL_DELAY_MAX_MS)
    await end('SIGKILL')
  }
  await start()
  onTestFinished(() => end('SIGTERM'))
  await patient.updateTable('alert_reader').set({ told_at: null }).execute()
  await vi.waitFor(async () => {
    const alerts = await db.selectFrom('alerts').select('news').where('kind', '=', 'key_leaked').execute()
    expect(alerts.length).toBe(ROUNDS * CAUSES)
    expect(alerts.filter(({ news }) => news !== null)).toEqual([])
    expect(await db.selectFrom('alert_mails').select('id').where('mail_state', '<>', 'sent').execute()).toEqual([])
  }, WAIT)

  const keys = await db.selectFrom('alerts').select('target_id').where('kind', '=', 'key_leaked').distinct().execute()
  expect(keys).toHaveLength(ROUNDS * CAUSES)
  const audited = await db
    .selectFrom('audit_entries')
    .select('target_id')
    .where('action', '=', 'alerts.open')
    .where('target_type', '=', 'api_key')
    .execute()
  expect(audited).toHaveLength(ROUNDS * CAUSES)
  const planned = await db.selectFrom('alert_mails').select(['id', 'mail_to', 'opened']).execute()
  const leaked = await db.selectFrom('alerts').select('id').where('kind', '=', 'key_leaked').execute()
  const told = planned.flatMap(({ opened }) => opened).filter((id) => leaked.some((alert) => alert.id === id))
  expect(told.toSorted()).toEqual(leaked.map(({ id }) => id).toSorted())
  // A mail may arrive again after a kill, with the same id.
  expect(new Set(mailbox.mails.map(({ messageId }) => messageId))).toEqual(
    new Set(planned.map(({ id }) => `<${id}@console.example.com>`)),
  )
})

async function leakKeys(db: Kysely<Database>, tenantId: string): Promise<void> {
  await sql`
    insert into api_keys (tenant_id, name, key_hash, key_prefix, key_start, key_last4, reported_at)
    select ${tenantId}, 'Key ' || n, sha256(gen_random_uuid()::text::bytea), 'sb_live_', 'abcd', 'wxyz', now()
    from generate_series(1, ${CAUSES}::int) as n`.execute(db)
}

/** Whether a worker has the lock of the reader. */
async function isLooking(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from alert_reader for update skip locked`.execute(db)
  return rows.length === 0
}
