import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** An active person who runs the console. admin-api has checked the role. */
export async function activeAdmin(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', id)
    .where('tenant_id', 'is', null)
    .where('is_active', '=', true)
    .executeTakeFirst()
}

/** Ids and names of a task for its audit entries, and the status of its tenant. */
export async function auditNames(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('tasks')
    .select(['id', 'tenant_id', 'tenant_name', 'tenant_status', 'extra_data'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Records a webhook. Returns false for a replay: a repeated id, or a repeated timestamp for the task. */
export async function recordWebhook(
  db: Kysely<Database>,
  webhook: { task_id: string; sent_at: Date; message_id: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into task_webhooks (task_id, sent_at, message_id)
    select id, ${webhook.sent_at}, ${webhook.message_id} from tasks where id = ${webhook.task_id}
    on conflict do nothing returning sent_at`.execute(db)
  return rows.length === 1
}

/** Inserts a queued run. A unique constraint refuses a second unfinished run of the task. */
export async function insertManualRun(
  trx: Transaction<Database>,
  run: { task_id: string; started_by: string },
): Promise<string> {
  const { id } = await trx
    .insertInto('runs')
    .values({ ...run, trigger: 'manual', outcome: 'queued' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type RunState = NonNullable<Awaited<ReturnType<typeof runState>>>

export async function runState(db: Kysely<Database>, runId: string) {
  return await db
    .selectFrom('runs')
    .select(['id', 'outcome', 'message', 'reviews_returned', 'reviews_new', 'reviews_changed'])
    .where('id', '=', runId)
    .executeTakeFirst()
}
