import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { replaceByArchive } from '@switchboard/database/audit/audit-archives.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { parseSettings } from '@switchboard/server/settings/env'
import { makeUser } from '@switchboard/testing/factories'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { expect, inject, onTestFinished, test } from 'vitest'
import { dataChecks } from '#scripts/doctor/database-checks.ts'
import { findingsOf } from '#scripts/doctor/finding.ts'

const actor = { id: null, email: 'command line', address: null, request_id: null }
const entry = { action: 'tenants.create' }

async function database() {
  const { db, url, drop } = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(drop)
  const findingOf = async (check: string) => {
    const checks = dataChecks({ main: db, direct: db, urls: { url, directUrl: url }, settings: parseSettings({}) })
    const found = (await Array.fromAsync(findingsOf(checks))).find((finding) => finding.check === check)
    return `${found?.state}: ${found?.text}`
  }
  return { db, findingOf }
}

test('an entry that no worker has sealed for more than a minute is a warning', async () => {
  const { db, findingOf } = await database()
  const write = async (at: Date) => await db.transaction().execute((trx) => writeAudit(trx, at, actor, entry))
  await write(new Date())
  expect(await findingOf('audit log')).toMatch(
    /^ok: 0 rows hold, after 0 archived ones; 1 entries are not sealed yet\./,
  )
  await write(new Date(Date.now() - 300_000))
  expect(await findingOf('audit log')).toMatch(
    /^warning: .* The oldest unsealed entry is 30\d s old, and until it is sealed, the owner of the database can change it without a trace\./,
  )
})

test('archived rows that cannot be checked are a warning', async () => {
  const { db, findingOf } = await database()
  await db.transaction().execute((trx) => writeAudit(trx, new Date('2024-01-05'), actor, entry))
  await sealAudit(db)
  const { hash } = await db.selectFrom('audit_log').select('hash').executeTakeFirstOrThrow()
  const rows = {
    month: '2024-01',
    first_seq: 1,
    last_seq: 1,
    hash_before: '0'.repeat(64),
    hash_after: hash.toString('hex'),
  }
  await db.transaction().execute((trx) => replaceByArchive(trx, { ...rows, file_sha256: 'ab'.repeat(32) }))
  expect(await findingOf('audit log')).toMatch(
    /^warning: .* The files of the archives were not checked: set AUDIT_ARCHIVE and run "npm run audit:verify"\.$/,
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
