import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createLogger } from '@switchboard/server/process/log'
import { sql } from 'kysely'
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { checkChainDaily } from './chain-check.service.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)
const lines: string[] = []
const log = createLogger('info', { write: (line) => void lines.push(line) })
const actor = { id: null, email: 'ada@example.com', address: null, request_id: null }

/** A check that starts now. */
function startCheck() {
  const check = checkChainDaily({ db, log })
  onTestFinished(() => check.stop())
  return check
}

test('the last check holds until a row is edited in the database, which two workers find and the log tells once', async () => {
  for (let n = 0; n < 3; n += 1)
    await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, { action: 'tenants.update' }))
  await sealAudit(db)
  const first = startCheck()
  expect(first.last()).toEqual({ isBroken: false, rows: 0, atMs: 0 })
  await vi.waitFor(() => expect(first.last()).toMatchObject({ isBroken: false, rows: 3 }), { timeout: 60_000 })
  expect(Math.abs(first.last().atMs - Date.now())).toBeLessThan(60_000)

  await db.transaction().execute(async (trx) => {
    await sql`alter table audit_log disable trigger user`.execute(trx)
    await sql`update audit_log set action = 'tenants.delete' where seq = 2`.execute(trx)
    await sql`alter table audit_log enable trigger user`.execute(trx)
  })
  for (const check of [startCheck(), startCheck()])
    await vi.waitFor(() => expect(check.last()).toMatchObject({ isBroken: true, rows: 0 }), { timeout: 60_000 })
  expect(lines.join('')).toContain('The chain breaks at row 2.')
  const told = await db.selectFrom('audit_entries').selectAll().where('action', '=', 'audit.break').execute()
  expect(told).toMatchObject([{ actor_email: 'task worker', reason: 'The chain breaks at row 2.', outcome: 'done' }])
})

test('a check can be stopped', async () => {
  const check = checkChainDaily({ db, log })
  await check.stop()
})
