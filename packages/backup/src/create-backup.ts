import { auditEnd } from '@switchboard/database/audit/audit-chain'
import { openSingleConnection } from '@switchboard/database/connection/single-connection'
import { isMigrated, pendingMigrations, schemaHash } from '@switchboard/database/migrate'
import { checkSearchPath } from '@switchboard/database/start/check-search-path'
import { checkVersion, placeOf } from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import type { SecretKey } from '@switchboard/database/stored-secrets/encryption'
import { VERSION } from '@switchboard/server/settings/version'
import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type BackupHeader, writeBackup } from './backup-file.ts'
import {
  copyQuery,
  copyStatement,
  headerFacts,
  lockTables,
  rowCounts,
  savedTables,
  sequenceValues,
  type Table,
} from './schema.queries.ts'

/**
 * Writes all rows of the database to a new file or to a stream, from a single snapshot while others continue to write,
 * and signs them with `key` unless `key` is null. An existing file is replaced when the backup is complete. Returns the
 * header and the bytes of the backup. Throws a StartError for a database without data of Switchboard or of a newer
 * release, and for an error of the file system.
 */
export async function createBackup(
  url: string,
  target: string | Writable,
  key: SecretKey | null,
): Promise<{ header: BackupHeader; bytes: number }> {
  const { db, client, close } = await openSingleConnection(url)
  try {
    await checkVersion({ db, url, variable: 'DATABASE_URL' })
    await checkSearchPath(db, { isInstalled: true })
    await pendingMigrations(db)
    if (!(await isMigrated(db))) throw new StartError(`The database ${placeOf(url)} has no data of Switchboard.`)
    const tables = await savedTables(db)
    const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
    await lockTables(trx, tables)
    if (JSON.stringify(await savedTables(trx)) !== JSON.stringify(tables))
      throw new StartError('The database was migrated during the backup. Run the backup again.')
    const facts = await headerFacts(trx)
    const header = {
      version: VERSION,
      ...facts,
      schema_sha256: await schemaHash(facts.migration),
      audit_end: await auditEnd(trx),
      sequences: await sequenceValues(trx),
      rows: await rowCounts(trx, tables),
    }
    const bytes = await writeBackup(target, { header, script: scriptOf(client, tables), key })
    return { header, bytes }
  } finally {
    // Not a rollback: after a full disk the connection still sends rows.
    await close()
  }
}

/** The rows of all tables as a script that psql can run too. */
async function* scriptOf(client: ClientBase, tables: readonly Table[]): AsyncGenerator<Buffer> {
  for (const table of tables) {
    yield Buffer.from(`${copyStatement(table)}\n`)
    yield* client.query(copyTo(copyQuery(table)))
    yield Buffer.from('\\.\n')
  }
}
