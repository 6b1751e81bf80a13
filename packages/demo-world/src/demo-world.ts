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
import { planStory } from './story.demo.ts'
import { planTasks } from './tasks.demo.ts'
import { planTenants } from './tenants.demo.ts'

/** Age of the first super admin of a demo, in days. */
export const DEMO_DAYS = 372

/** PostgreSQL allows 65,535 parameters per statement, and every table has fewer than thirty columns. */
const ROWS_AT_ONCE = 2_000

/** Whether the audit log has more than the creation of the first super admin. */
export async function hasHistory(db: Kysely<Database>): Promise<boolean> {
  const { seq } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  return seq > 1
}

type Given = {
  now: Date
  maps: DemoMaps
  /** Password hash of all accounts except the first super admin. */
  passwordHash: string
}

/**
 * Fills a migrated database with nothing but a first super admin with a year of invented history: tenants, users, keys
 * with their use, tasks with runs and reviews, versions of the template, and the audit log. The same on the same day. A
 * single transaction, so that an interruption leaves nothing.
 */
export async function makeDemoWorld(db: Kysely<Database>, { now, maps, passwordHash }: Given): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const columns = ['id', 'email', 'created_at'] as const
    const first = await trx.selectFrom('users').select(columns).executeTakeFirstOrThrow()
    const at = now.getTime()
    const staff = planStaff(first, at)
    const { tenants, ...ofTenants } = planTenants(staff, at)
    const { admins, ...ofUsers } = planUsers(tenants, { staff, now: at, passwordHash })
    const { keys, outcomes, ...ofKeys } = planApiKeys(tenants, staff, at)
    const { tasks, runs, reviews, ...ofTasks } = planTasks(tenants, { staff, maps, now: at })
    const { versions, ...ofPrompts } = planPrompts(await templateAsItCame(trx), staff, at)

    await insertAll(
      trx,
      'tenants',
      tenants.map(({ row }) => row),
    )
    await insertAll(trx, 'users', admins)
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
    const story = planStory(done, { tenants, staff, now: at })
    // Last, as in every service. An audit log means a complete world.
    await insertAll(
      trx,
      'audit_log',
      story.map((event) => auditRowOf(new Date(event.at), event.actor, event)),
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
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await trx
      .insertInto(table)
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
}

async function templateAsItCame(trx: Transaction<Database>) {
  return await trx
    .selectFrom('prompt_versions')
    .select(['template_id', 'template'])
    .where('version', '=', 1)
    .executeTakeFirstOrThrow()
}

/** The template's first version dates from the first start of the demo's product, before the later versions. */
async function dateFirstVersion(trx: Transaction<Database>, cameAt: string): Promise<void> {
  await sql`alter table prompt_versions disable trigger prompt_versions_append_only`.execute(trx)
  await trx
    .updateTable('prompt_versions')
    .set({ created_at: new Date(cameAt) })
    .execute()
  await sql`alter table prompt_versions enable trigger prompt_versions_append_only`.execute(trx)
}
