import { pipeline } from 'node:stream/promises'
import { openSingleConnection } from '@switchboard/database/connection/single-connection'
import { lockMigrations, migrateWithin } from '@switchboard/database/migrate'
import { checkRights } from '@switchboard/database/start/check-rights'
import { checkVersion } from '@switchboard/database/start/start-checks'
import { StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { BackupFile } from './backup-file.ts'
import { endAccess } from './access.queries.ts'
import {
  analyzeTables,
  anyRelation,
  emptyTables,
  rowCounts,
  savedTables,
  sequenceNames,
  setSequences,
  type Table,
  withoutForeignKeys,
  withoutIndexes,
  withoutSuperuser,
  withoutTriggers,
} from './schema.queries.ts'
import { tablesIn } from './script-reader.ts'

/**
 * Fills the empty database at `url` with the rows of a backup, in one transaction: a failure or a kill leaves the
 * database empty. The role needs no more rights than the role of a server, and the rows are copied without superuser
 * rights. Runs the migrations up to the backup, copies the rows, and runs the later migrations of this release. Ends
 * all sessions. Throws a StartError for a database that is not empty.
 */
export async function restoreBackup(url: string, backup: BackupFile): Promise<void> {
  const { db, client, close } = await openSingleConnection(url)
  try {
    const checked = { db, url, variable: 'DATABASE_URL' } as const
    await checkVersion(checked)
    await checkRights(checked)
    await db.transaction().execute((trx) => restoreWithin(trx, client, backup))
    await analyzeTables(db)
  } finally {
    await close()
  }
}

async function restoreWithin(trx: Transaction<Database>, client: ClientBase, backup: BackupFile): Promise<void> {
  const { migration, sequences } = backup.header
  await lockMigrations(trx)
  const relation = await anyRelation(trx)
  if (relation !== undefined)
    throw new StartError(
      `The database is not empty: it has ${relation}. Create another database, or with the embedded PostgreSQL move its data folder away.`,
    )
  await migrateWithin(trx, migration)
  const tables = await savedTables(trx)
  await refuseUnknownSequence(trx, sequences)
  await withoutForeignKeys(trx, () =>
    withoutTriggers(trx, tables, async () => {
      await emptyTables(trx, tables)
      await withoutIndexes(trx, () =>
        withoutSuperuser(trx, tables, () => backup.readScript((script) => copyRows(client, script, tables))),
      )
    }),
  )
  await refuseMissingRows(trx, tables, backup)
  await setSequences(trx, sequences)
  await migrateWithin(trx)
  await endAccess(trx)
}

async function refuseUnknownSequence(trx: Transaction<Database>, sequences: BackupFile['header']['sequences']) {
  const known = await sequenceNames(trx)
  const unknown = Object.keys(sequences).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new StartError(`The backup has an unknown sequence: ${JSON.stringify(unknown)}.`)
}

/** Compares the restored rows with those that the database had at the backup. */
async function refuseMissingRows(trx: Transaction<Database>, tables: readonly Table[], { header }: BackupFile) {
  for (const [name, rows] of Object.entries(await rowCounts(trx, tables)))
    if (rows !== header.rows[name])
      throw new StartError(
        `The backup says that the table "${name}" has ${header.rows[name]} rows, but it contains ${rows}.`,
      )
}

async function copyRows(client: ClientBase, script: AsyncIterable<Buffer>, tables: readonly Table[]): Promise<void> {
  for await (const { statement, rows } of tablesIn(script, tables))
    await pipeline(rows, client.query(copyFrom(statement)))
}
