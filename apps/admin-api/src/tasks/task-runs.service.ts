import type { TaskReviews } from '@switchboard/contract/task-reviews'
import type { RunResult, RunTaskBody } from '@switchboard/contract/task-runs'
import { AppError, invalidField, notFound } from '@switchboard/server/errors'
import type { Actor } from '#src/auth/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { lastPull } from './task-runs.queries.ts'

/**
 * Hands "Run task now" on to ai-api, which writes the audit row with the run (design §5.1). Throws 403 for somebody
 * else's id, and what `AiApiClient` throws.
 */
export async function runTask(
  { aiApi }: Pick<Deps, 'aiApi'>,
  actor: Actor,
  taskId: string,
  body: RunTaskBody,
): Promise<RunResult> {
  if (body.task_id !== taskId) throw invalidField('task_id', 'The task must be the one of the address.')
  if (body.super_admin_id !== actor.id) throw new AppError(403, 'You can run tasks in your own name only.')
  return await aiApi.executeTask(body, actor)
}

/** Throws 404. */
export async function reviewsOfTask({ db }: Pick<Deps, 'db'>, taskId: string): Promise<TaskReviews> {
  const pull = await lastPull(db, taskId)
  if (pull === undefined) throw notFound('Task')
  return pull
}
