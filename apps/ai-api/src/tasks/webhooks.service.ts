import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  RUN_ALREADY_ASKED_FOR,
  RUN_WAIT_MS,
  type RunResult,
  type RunTaskBody,
  runTask as running,
  TIMESTAMP_OFF,
  WEBHOOK_WINDOW_MS,
} from '@switchboard/contract/task-runs'
import { auditedTask, writeAudit } from '@switchboard/database/audit.queries'
import { AppError, badRequest, conflict, notFound } from '@switchboard/server/errors'
import type { TaskDeps } from './deps.ts'
import { databaseTime, type RunState, runState } from './runs.queries.ts'
import { activeSuperAdmin, insertManualRun, noteWebhook, taskWords } from './webhooks.queries.ts'

/** How often the run is looked at while the webhook waits for its end. */
const LOOK_MS = 100

/** Whether a text is one of the secrets, in the same time whatever it is. */
export function isSecret(secrets: readonly string[], given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const actual = digest(given)
  // All are compared, so that the time does not tell which one it was either.
  return secrets.map((secret) => timingSafeEqual(digest(secret), actual)).includes(true)
}

/** Where the admin's request came from, for the audit log. */
export type Asker = { request_id: string | null; address: string | null }

/**
 * Enqueues a run that an admin asked for, before all others, and waits for its end. A webhook is taken once and within
 * five minutes of its timestamp, by the database's clock. Throws 400, 403, 404 and 409 (see `executeTask`).
 */
export async function executeTask(
  deps: TaskDeps,
  body: RunTaskBody,
  asker: Asker,
  stopping: AbortSignal,
): Promise<RunResult> {
  const { db } = deps
  const sentAt = new Date(body.timestamp)
  const offMs = sentAt.getTime() - (await databaseTime(db)).getTime()
  if (Math.abs(offMs) > WEBHOOK_WINDOW_MS) throw badRequest(TIMESTAMP_OFF)
  const admin = await activeSuperAdmin(db, body.super_admin_id)
  if (admin === undefined) throw new AppError(403, 'Only an active super admin can run tasks.')
  const task = await taskWords(db, body.task_id)
  if (task === undefined) throw notFound('Task')
  // In a transaction of its own: also a webhook that is refused below has been heard.
  if (!(await noteWebhook(db, task.id, sentAt))) throw conflict(RUN_ALREADY_ASKED_FOR)
  const run_id = await db.transaction().execute(async (trx) => {
    const id = await insertManualRun(trx, { task_id: task.id, started_by: admin.email })
    await deps.jobs.enqueue(trx, [{ run_id: id, isUrgent: true }])
    await writeAudit(
      trx,
      await databaseTime(trx),
      { ...admin, ...asker },
      {
        action: running.schema.operationId,
        outcome: 'done',
        target: auditedTask(task),
      },
    )
    return id
  })
  return resultOf(await endOfRun(deps, run_id, stopping))
}

/** The run once it has ended or waits for another attempt; after ten seconds, or when the process stops, as it is. */
async function endOfRun({ db }: TaskDeps, runId: string, stopping: AbortSignal): Promise<RunState> {
  const until = performance.now() + RUN_WAIT_MS
  for (;;) {
    const run = await runState(db, runId)
    // It went with its task.
    if (run === undefined) throw notFound('Task')
    const isUnderWay = run.outcome === 'queued' || run.outcome === 'running'
    if (!isUnderWay || stopping.aborted || performance.now() > until) return run
    await sleep(LOOK_MS)
  }
}

function resultOf({ id: run_id, outcome, message, ...counts }: RunState): RunResult {
  if (outcome === 'succeeded') {
    const result = { status: 'success', success: true, execution_status: 'executed' } as const
    return { result: { ...result, message: pulledSentence(counts), run_id } }
  }
  if (outcome === 'failed' || outcome === 'skipped') {
    const result = { status: 'failed', success: false, execution_status: 'failed' } as const
    return { result: { ...result, message: message ?? 'Task execution failed', run_id } }
  }
  const result = { status: 'running', success: false, execution_status: 'running' } as const
  const sentence =
    outcome === 'retrying'
      ? `${message ?? ''} It is tried again by itself.`
      : 'The run takes longer and goes on by itself.'
  return { result: { ...result, message: sentence, run_id } }
}

function pulledSentence({
  reviews_returned,
  reviews_new,
  reviews_changed,
}: Omit<RunState, 'id' | 'outcome' | 'message'>) {
  const all = reviews_returned === 1 ? '1 review' : `${reviews_returned ?? 0} reviews`
  return reviews_new === null
    ? `${all} pulled.`
    : `${all} pulled, ${reviews_new} new and ${reviews_changed ?? 0} changed.`
}
