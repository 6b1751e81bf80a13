import path from 'node:path'
import type { Writable } from 'node:stream'
import { FAILED_BACKUP_ACTION } from '@switchboard/contract/activity'
import type { BackupKind, BackupMaker } from '@switchboard/contract/system'
import { addedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { BACKUP } from '@switchboard/database/audit/system-actors'
import { connect } from '@switchboard/database/connection/connect'
import { databaseTime } from '@switchboard/database/database-clock'
import { reasonOf } from '@switchboard/database/start/reason'
import { StartError } from '@switchboard/database/start/start-error'
import type { SecretKey, SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import type { Insertable } from 'kysely'
import { type BackupHeader, openBackupFile } from './backup-file.ts'
import { insertBackup } from './backups.queries.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { withScratchDatabase } from './scratch-database.queries.ts'

/** What was saved or verified, and a sentence if the database has no record of it, such as a standby. */
export type Recorded = { header: BackupHeader; bytes: number; unrecorded: string | null }

type BackupOptions = {
  url: string
  /** A new file, or a stream, which stays open. */
  target: string | Writable
  /** Signs the backup. Null: it is not signed. */
  key: SecretKey | null
  made_by: BackupMaker
}

/** Makes a backup as `createBackup` does, and records it or its failure in the database. Throws what `createBackup` throws. */
export async function makeBackup({ url, target, key, made_by }: BackupOptions): Promise<Recorded> {
  const file = typeof target === 'string' ? path.resolve(target) : null
  return await recorded(url, { kind: 'backup', made_by, file }, () => createBackup(url, target, key))
}

type VerifyOptions = { url: string; file: string; keys: SecretKeys; made_by: BackupMaker }

/**
 * Restores a backup into a scratch database on the server of `url`, compares the rows and the audit log with those at
 * the time of the backup, and records the outcome. Throws a StartError for a backup that a restore would refuse, and for
 * a difference.
 */
export async function verifyBackup({ url, file, keys, made_by }: VerifyOptions): Promise<Recorded> {
  return await recorded(url, { kind: 'verification', made_by, file: path.resolve(file) }, async () => {
    const backup = await openBackupFile(file, { keys })
    await withScratchDatabase(url, async (scratchUrl) => {
      await restoreBackup(scratchUrl, backup)
      await refuseBrokenChain(scratchUrl, backup.header)
    })
    return backup
  })
}

async function refuseBrokenChain(url: string, { audit_end: noted }: BackupHeader): Promise<void> {
  const db = connect(url, { max: 1, isPatient: true })
  try {
    let last: ChainState | undefined
    for await (const state of checkAuditChain(db, { noted })) last = state
    if (last?.state === 'broken') throw new StartError(`The audit log of the backup does not hold. ${last.problem}`)
  } finally {
    await db.destroy()
  }
}

/** Runs `work` and records its outcome in the database, a failure also in the audit log. */
async function recorded(
  url: string,
  what: { kind: BackupKind; made_by: BackupMaker; file: string | null },
  work: () => Promise<Omit<Recorded, 'unrecorded'>>,
): Promise<Recorded> {
  const made = await work().catch(async (error: unknown) => {
    await record(url, { ...what, problem: reasonOf(error) })
    throw error
  })
  const { header, bytes } = made
  return { header, bytes, unrecorded: await record(url, { ...what, bytes, audit_seq: header.audit_end.seq }) }
}

/** Returns a sentence if the database cannot record the backup. */
async function record(url: string, backup: Omit<Insertable<Database['backups']>, 'at'>): Promise<string | null> {
  // The database that failed a backup may be away.
  const db = connect(url, { max: 1, isPatient: backup.problem === undefined, onLost: () => undefined })
  try {
    await db.transaction().execute(async (trx) => {
      await insertBackup(trx, backup)
      const { kind, made_by, file, problem } = backup
      if (typeof problem !== 'string') return
      const changes = addedFields({ kind, made_by, file })
      await writeAudit(trx, await databaseTime(trx), BACKUP, { action: FAILED_BACKUP_ACTION, reason: problem, changes })
    })
    return null
  } catch (error) {
    return `The database has no record of it: ${reasonOf(error)}.`
  } finally {
    await db.destroy()
  }
}
