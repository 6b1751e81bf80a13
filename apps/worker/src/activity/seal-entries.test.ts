import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'

const { db, logLines } = await startTestWorker()
const actor = { id: null, email: 'ada@example.com', address: null, request_id: null }
const write = async (action: string) =>
  await db.transaction().execute((trx) => writeAudit(trx, new Date(), actor, { action }))
const sealed = async () =>
  (await db.selectFrom('audit_log').select('action').orderBy('seq').execute()).map(({ action }) => action)

test('a worker seals entries, and goes on after a changed one, which it logs', async () => {
  await write('tenants.create')
  await expect.poll(sealed, { timeout: 20_000 }).toEqual(['tenants.create'])

  await db.transaction().execute(async (trx) => {
    // The worker never sees the entry before the change.
    await writeAudit(trx, new Date(), actor, { action: 'tenants.delete' })
    await sql`alter table audit_unsealed disable trigger user`.execute(trx)
    await sql`update audit_unsealed set action = 'tenants.update'`.execute(trx)
    await sql`alter table audit_unsealed enable trigger user`.execute(trx)
  })
  const said = () =>
    logLines.filter((line) => line.includes('unsealed entries of the audit log were changed or removed'))
  await expect.poll(said, { timeout: 20_000 }).toHaveLength(1)
  await write('users.create')
  await expect.poll(sealed, { timeout: 20_000 }).toEqual(['tenants.create', 'users.create'])
})
