import { type InsertObject, type Kysely, sql, type Transaction } from 'kysely'
import { login } from '@switchboard/contract/auth'
import { auditRowOf } from '@switchboard/database/audit/audit.queries'
import { endOfLog, entriesAfter } from '@switchboard/database/audit/read-log'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import type { Database } from '@switchboard/database/tables'
import { deleteRecord } from '@switchboard/testing/factories'
import { addApiKeys } from './api-keys/api-keys.demo.ts'
import { auditLogOf } from './audit-log.demo.ts'
import { addKeyDiagnosis } from './api-keys/key-diagnosis.demo.ts'
import type { DemoMaps } from './maps.ts'
import { addPrompts } from './prompts.demo.ts'
import { type Colleague, planSessions } from './staff.ts'
import { addTasks } from './tasks.demo.ts'
import { addTenants } from './tenants.demo.ts'
import { addUsers } from './users.demo.ts'
import { addWebhooks, webhookRows } from './webhooks.demo.ts'
import { emptyWorld } from './world.ts'

/** Age of the first super admin of a demo, in days. */
export const DEMO_DAYS = 372

/** PostgreSQL allows 65,535 parameters per statement, and every table has fewer than thirty columns. */
const BATCH_ROWS = 2_000

/** Whether the audit log has more than the creation of the first super admin. */
export async function hasHistory(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('audit_entries').select('seq').limit(2).execute()).length > 1
}

type Options = {
  now: Date
  maps: DemoMaps
  /** Password hash of all accounts except the first super admin. */
  passwordHash: string
}

/**
 * Fills a migrated database, which has only a first super admin, with a year of invented history: tenants, users, keys
 * with their use, tasks with runs and reviews, versions of the template, webhooks with deliveries, and the audit log. The same day gives the same
 * world. Everything is one transaction, so an interruption leaves nothing.
 */
export async function makeDemoWorld(db: Kysely<Database>, { now, maps, passwordHash }: Options): Promise<void> {
  // The creation of the first super admin comes before all other entries.
  await sealAudit(db)
  await db.transaction().execute(async (trx) => {
    const columns = ['id', 'email', 'created_at'] as const
    const first = await trx.selectFrom('users').select(columns).executeTakeFirstOrThrow()
    const world = emptyWorld(first, now.getTime())
    addTenants(world)
    addUsers(world, passwordHash)
    addApiKeys(world)
    addKeyDiagnosis(world)
    addTasks(world, maps)
    addPrompts(world, await firstTemplate(trx))
    const webhooks = addWebhooks(world)

    const { tenants, rows } = world
    const tenantRows = tenants.map(({ row }) => row)
    await insertAll(trx, 'tenants', tenantRows)
    await nameFirstAdmin(trx, world.staff)
    await insertAll(trx, 'users', rows.users)
    await insertAll(trx, 'api_keys', rows.api_keys)
    await insertAll(trx, 'api_key_calls', rows.api_key_calls)
    await countOldCalls(trx)
    await insertAll(trx, 'api_key_refused_origins', rows.api_key_refused_origins)
    for (const { id, at } of world.deletedKeys) await deleteKey(trx, id, at)
    await insertAll(trx, 'tasks', rows.tasks)
    await insertAll(trx, 'runs', rows.runs)
    await insertAll(trx, 'reviews', rows.reviews)
    await insertAll(trx, 'place_ratings', rows.place_ratings)
    await dateFirstVersion(trx, first.created_at)
    await insertAll(trx, 'prompt_versions', rows.prompt_versions)
    await trx
      .updateTable('prompt_templates')
      .set({ version: rows.prompt_versions.length + 1 })
      .where('prompt_type', '=', 'general')
      .execute()
    await insertAll(trx, 'sessions', planSessions(first.id, world.now))
    const auditRows = auditLogOf(world).map((event) => auditRowOf(new Date(event.at), event.actor, event))
    await insertAll(trx, 'audit_unsealed', auditRows)
    // Sealed at once, in the order of their times.
    while ((await sealAudit(trx)) > 0) continue
    const entries = await entriesAfter(trx, 0, Number.MAX_SAFE_INTEGER)
    const sent = webhookRows(webhooks, entries, world.now)
    await insertAll(trx, 'webhooks', sent.webhooks)
    await insertAll(trx, 'webhook_positions', sent.webhook_positions)
    await insertAll(trx, 'webhook_deliveries', sent.webhook_deliveries)
    // Nobody is alerted to what happened in the past.
    await trx
      .updateTable('alert_reader')
      .set({ seq: await endOfLog(trx) })
      .execute()
    await setLastSignIns(trx)
  })
}

/** Adds the counters of the days that are folded into months: triggers count only later days. */
async function countOldCalls(trx: Transaction<Database>): Promise<void> {
  await sql`
    insert into counters (noun, facet, value, count)
    select 'api_key_calls', call_facet(outcome, environment), (since at time zone 'UTC')::date, sum(count)
    from api_key_calls where (since at time zone 'UTC')::date < first_open_day() group by 2, 3`.execute(trx)
}

async function nameFirstAdmin(trx: Transaction<Database>, staff: readonly Colleague[]): Promise<void> {
  for (const { id, name } of staff.slice(0, 1))
    await trx.updateTable('users').set({ name }).where('id', '=', id).execute()
}

async function deleteKey(trx: Transaction<Database>, id: string, at: Date): Promise<void> {
  await deleteRecord(trx, 'api_keys', id)
  await sql`
    update deletions set deleted_at = ${at}, kept_until = ${at}::timestamptz + interval '30 days'
    where root_id = ${id} and is_root`.execute(trx)
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
    .select(['template_id', 'template', 'declared_variables'])
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
