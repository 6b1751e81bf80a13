import { runTask } from '@switchboard/contract/runs'
import type { Database } from '@switchboard/database/tables'
import { makeTask, makeTenant } from '@switchboard/testing/factories'
import type { Kysely } from 'kysely'

/** Runs a new task at once through admin-api, ai-api, the queue and a worker. Returns the status and the answer. */
export async function runNewTask(db: Kysely<Database>, address: string, token: string): Promise<string> {
  const { id } = await makeTask(db, { tenant_id: (await makeTenant(db)).id })
  const { id: super_admin_id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const answer = await fetch(`${address}${runTask.url.replace(':task_id', id)}`, {
    method: runTask.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ task_id: id, super_admin_id, timestamp: new Date().toISOString() }),
  })
  return `${answer.status} ${await answer.text()}`
}
