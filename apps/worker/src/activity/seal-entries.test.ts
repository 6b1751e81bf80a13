import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { expect, test } from 'vitest'
import { startTestWorker } from '#src/testing/test-worker.ts'

const { db } = await startTestWorker()
const actor = { id: null, email: 'ada@example.com', address: null, request_id: null }

test('a worker seals entries in the order in which they were written', async () => {
  const actions = ['tenants.create', 'users.create', 'tenants.delete']
  await db.transaction().execute((trx) =>
    writeAudits(
      trx,
      new Date(),
      actor,
      actions.map((action) => ({ action })),
    ),
  )
  const sealed = async () =>
    (await db.selectFrom('audit_log').select('action').orderBy('seq').execute()).map(({ action }) => action)
  await expect.poll(sealed).toEqual(actions)
})
