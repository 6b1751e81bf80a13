import { PassThrough } from 'node:stream'
import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { createLogger } from '@switchboard/server/process/log'
import { afterAll, expect, inject, test } from 'vitest'
import { logAuditEnd } from './audit-end.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
afterAll(drop)

test('the end of the audit log is logged at the start and again, in the format of audit:verify', async () => {
  const lines = new PassThrough()
  let logged = ''
  lines.on('data', (chunk) => (logged += chunk))
  const stop = logAuditEnd({ db, log: createLogger('info', lines) }, 20)
  await expect.poll(() => logged).toContain(`"audit_end":"0:${'0'.repeat(64)}"`)
  const actor = { id: null, email: null, address: null, request_id: null }
  await db
    .transaction()
    .execute((trx) => writeAudit(trx, new Date(0), actor, { action: 'auth.login', outcome: 'refused' }))
  await sealAudit(db)
  const { checked } = await verifyAuditChain(db)
  await expect.poll(() => logged).toContain(`"audit_end":"1:${checked.hash}"`)
  await stop()
})
