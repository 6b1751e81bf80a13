import type { SystemBackups } from '@switchboard/contract/system'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

/** A record is deleted after this time, at the next backup. */
const KEPT = '1 year'

/** Records a backup or a verification that has ended now, and deletes old records. */
export async function insertBackup(
  trx: Transaction<Database>,
  backup: Omit<Insertable<Database['backups']>, 'at'>,
): Promise<void> {
  await trx.insertInto('backups').values(backup).execute()
  await sql`delete from backups where at < now() - ${KEPT}::interval`.execute(trx)
}

type Newest = Pick<SystemBackups, 'newest' | 'verified_at' | 'failure'>

/** The newest backup, the newest verification, and the failure of the last one of either kind. */
export async function newestBackups(db: Kysely<Database>): Promise<Newest> {
  const { rows } = await sql<Newest>`
    with
      succeeded as (select distinct on (kind) * from backups where problem is null order by kind, id desc),
      last as (select distinct on (kind) * from backups order by kind, id desc)
    select
      (
        select json_build_object('at', ${isoOf('at')}, 'made_by', made_by, 'file', file, 'bytes', bytes, 'audit_seq', audit_seq)
        from succeeded where kind = 'backup'
      ) as newest,
      (select at from succeeded where kind = 'verification') as verified_at,
      (
        select json_build_object('kind', kind, 'at', ${isoOf('at')}, 'problem', problem)
        from last where problem is not null order by id desc limit 1
      ) as failure`.execute(db)
  const [newest] = rows
  if (newest === undefined) throw new Error('PostgreSQL returned no row.')
  return newest
}

function isoOf(column: string) {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * Whether no backup has been verified for this many days. The first verification is due so many days after the first
 * backup.
 */
export async function isUnverifiedFor(db: Kysely<Database>, days: number): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean }>`
    select coalesce(
      coalesce(max(at) filter (where kind = 'verification'), min(at)) < now() - make_interval(days => ${days}), false
    ) as is_due
    from backups where problem is null`.execute(db)
  return rows[0]?.is_due ?? false
}

/** The size of the database on its disk. */
export async function databaseBytes(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}
