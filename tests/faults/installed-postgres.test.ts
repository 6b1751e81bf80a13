import { verifyAuditChain } from '@switchboard/database/audit/audit-chain'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { installedPostgres, startInstalledPostgres } from '#tests/installed-postgres.ts'

// Minor releases of PostgreSQL may refuse statements of the embedded PostgreSQL: the test tries every installed
// version.

const bins = installedPostgres()
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }

test.skipIf(bins.length === 0).each(bins)('every migration runs on the PostgreSQL in %s', async (bin) => {
  const server = await startInstalledPostgres(bin)
  const db = connect(server.url)
  try {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
    await migrate(db)
    await db
      .transaction()
      .execute((trx) => writeAudit(trx, new Date(0), actor, { action: 'auth.login', outcome: 'done' }))
    await sealAudit(db)
    expect(await verifyAuditChain(db), `PostgreSQL ${rows[0]?.server_version}`).toMatchObject({
      state: 'holds',
      rows: 1,
    })
  } finally {
    await db.destroy()
    await server.stop()
  }
})
