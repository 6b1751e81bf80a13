import { type InsertObject, type Kysely, sql, type Transaction } from 'kysely'
import { login } from '@switchboard/contract/auth'
import { auditRowOf } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { planUsers } from './users.demo.ts'
import { planApiKeys } from './api-keys.demo.ts'
import type { DemoMaps } from './maps.ts'
import { planPrompts } from './prompts.demo.ts'
import { planSessions } from './sessions.demo.ts'
import { planStaff } from './staff.ts'
import { planAuditLog } from './audit-log.demo.ts'
import { planTasks } from './tasks.demo.ts'
import { planTenants } from './tenants.demo.ts'

/** Age of the first super admin of a demo, in days. */
export const DEMO_DAYS = 372

/** PostgreSQL allows 65,535 parameters per statement, and every table has fewer than thirty columns. */
const BATCH_ROWS = 2_000

/** Whether the audit log has more than the creation of the first super admin. */
export async function hasHistory(db: Kysely<Database>): Promise<boolean> {
  const { seq } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  return seq > 1
}

type Options = {
  now: Date
  maps: DemoMaps
  /** Password hash of all accounts except the first super admin. */
  passwordHash: string
}

/**
 * Fills a migrated database with nothing but a first super admin with a year of invented history: tenants, users, keys
 * with their use, tasks with runs and reviews, versions of the template, and the audit log. Equal for equal days. A single
 * transaction, so an interruption leaves nothing.
 */
export async function makeDemoWorld(db: Kysely<Database>, { now, maps, passwordHash }: Options): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const columns = ['id', 'email', 'created_at'] as const
    const first = await trx.selectFrom('users').select(columns).executeTakeFirstOrThrow()
    const at = now.getTime()
    const staff = planStaff(first, at)
    const { tenants, ...ofTenants } = planTenants(staff, at)
    const { users, ...ofUsers } = planUsers(tenants, { staff, now: at, passwordHash })
    const { keys, outcomes, ...ofKeys } = planApiKeys(tenants, staff, at)
    const { tasks, runs, reviews, ...ofTasks } = planTasks(tenants, { staff, maps, now: at })
    const { versions, ...ofPrompts } = planPrompts(await firstTemplate(trx), staff, at)

    await insertAll(
      trx,
      'tenants',
      tenants.map(({ row }) => row),
    )
    await insertAll(trx, 'users', users)
    await insertAll(trx, 'api_keys', keys)
    await insertAll(trx, 'api_key_outcomes', outcomes)
    await insertAll(trx, 'tasks', tasks)
    await insertAll(trx, 'runs', runs)
    await insertAll(trx, 'reviews', reviews)
    await dateFirstVersion(trx, first.created_at)
    await insertAll(trx, 'prompt_versions', versions)
    await trx
      .updateTable('prompt_templates')
      .set({ version: versions.length + 1 })
      .where('prompt_type', '=', 'general')
      .execute()
    await insertAll(trx, 'sessions', planSessions(first.id, at))
    const done = [ofTenants, ofUsers, ofKeys, ofTasks, ofPrompts].flatMap(({ events }) => events)
    const auditLog = planAuditLog(done, { tenants, staff, now: at })
    // Last, as in every service, because the chain serialises writers.
    await insertAll(
      trx,
      'audit_log',
      auditLog.map((event) => auditRowOf(new Date(event.at), event.actor, event)),
    )
    await setLastSignIns(trx)
  })
}

async function setLastSignIns(trx: Transaction<Database>): Promise<void> {
  await sql`
    update users set last_sign_in_at = sign_in.at
    from (
      select actor_id, max(at) as at from audit_log
      where action = ${login.schema.operationId} and outcome = 'done' group by actor_id
    ) as sign_in
    where users.id = sign_in.actor_id`.execute(trx)
}

async function insertAll<Table extends keyof Database>(
  trx: Transaction<Database>,
  table: Table,
  rows: readonly InsertObject<Database, Table>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await trx
      .insertInto(table)
      .values(rows.slice(from, from + BATCH_ROWS))
      .execute()
}

async function firstTemplate(trx: Transaction<Database>) {
  return await trx
    .selectFrom('prompt_versions')
    .select(['template_id', 'template'])
    .where('version', '=', 1)
    .executeTakeFirstOrThrow()
}

/** Dates the first version of the template before all later versions. */
async function dateFirstVersion(trx: Transaction<Database>, createdAt: string): Promise<void> {
  await sql`alter table prompt_versions disable trigger prompt_versions_append_only`.execute(trx)
  await trx
    .updateTable('prompt_versions')
    .set({ created_at: new Date(createdAt) })
    .execute()
  await sql`alter table prompt_versions enable trigger prompt_versions_append_only`.execute(trx)
}
