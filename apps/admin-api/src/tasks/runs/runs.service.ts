import type { RunAnswer, RunTaskBody } from '@switchboard/contract/runs'
import { AppError, invalidField } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'

/**
 * Passes "Run task now" on to ai-api, which audits the run. The console never gets the webhook secret. Throws 403 for
 * the id of another account, and the errors of `AiApiClient`. A service token runs tasks in the name of its maker.
 */
export async function runTask(
  { aiApi }: Pick<Deps, 'aiApi'>,
  actor: Actor,
  taskId: string,
  body: RunTaskBody,
): Promise<RunAnswer> {
  if (body.task_id !== taskId) throw invalidField('task_id', 'The task must be the task in the address.')
  if (body.super_admin_id !== actor.admin.id) throw new AppError(403, 'You can run tasks only in your own name.')
  const { id, email, address, request_id, session_id } = actor
  return await aiApi.executeTask(body, {
    address,
    request_id,
    ...(session_id === null && { token: { id, name: email } }),
  })
}
