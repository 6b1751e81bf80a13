import { inTransaction } from '@switchboard/database/in-transaction'
import { setTimeout as sleep } from 'node:timers/promises'
import * as contract from '@switchboard/contract/runs'
import type { ExecuteTaskBody, RunResult } from '@switchboard/contract/runs'
import { auditedTask, writeAudit } from '@switchboard/database/audit/audit.queries'
import { databaseTime } from '@switchboard/database/database-clock'
import { AppError, badRequest, conflict, notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import {
  activeAdmin,
  auditNames,
  insertManualRun,
  recordWebhook,
  type RunState,
  runState,
} from './execute-task.queries.ts'

/** Interval of the reads of a run by a waiting webhook, in milliseconds. */
const POLL_MS = 100

export type WebhookDeps = Pick<Deps, 'db' | 'queue'>

/** A webhook with a valid signature. */
type Webhook = { id: string; signedAt: Date; body: ExecuteTaskBody }

/**
 * Enqueues an urgent run for an admin and waits until a worker has ended it. Accepts a webhook once, and only within
 * five minutes of its timestamps by the database's clock. Throws 400, 403, 404 and 409 (see `executeTask`).
 */
export async function executeTask(
  deps: WebhookDeps,
  { id: message_id, signedAt, body }: Webhook,
  stopping: AbortSignal,
): Promise<RunResult> {
  const { db } = deps
  const { token, ...from } = body.actor ?? { request_id: null, address: null }
  const sent_at = new Date(body.timestamp)
  const now = (await databaseTime(db)).getTime()
  if ([sent_at, signedAt].some((time) => Math.abs(time.getTime() - now) > contract.WEBHOOK_WINDOW_MS))
    throw badRequest(contract.TIMESTAMP_OFF)
  const admin = await activeAdmin(db, body.super_admin_id)
  if (admin === undefined) throw new AppError(403, 'Only an active super admin can run tasks.')
  const actor = token === undefined ? { ...admin, ...from } : { ...from, id: token.id, email: token.name }
  const task = await auditNames(db, body.task_id)
  if (task === undefined) throw notFound('Task')
  if (task.tenant_status !== 'active') throw conflict(contract.TASK_OF_INACTIVE_TENANT)
  // Outside of the transaction below: a webhook refused there must not be accepted again.
  if (!(await recordWebhook(db, { task_id: task.id, sent_at, message_id })))
    throw conflict(contract.RUN_ALREADY_REQUESTED)
  const run_id = await inTransaction(db, async (trx) => {
    const id = await insertManualRun(trx, { task_id: task.id, started_by: actor.email })
    await deps.queue.enqueue(trx, [{ run_id: id, isUrgent: true }])
    await writeAudit(trx, await databaseTime(trx), actor, {
      action: contract.runTask.schema.operationId,
      target: auditedTask(task),
    })
    return id
  })
  return resultOf(await endOfRun(deps, run_id, stopping))
}

/** Polls the run until it has ended or waits for a retry, for ten seconds at most, or until the process stops. */
async function endOfRun({ db }: WebhookDeps, runId: string, stopping: AbortSignal): Promise<RunState> {
  const until = performance.now() + contract.RUN_WAIT_MS
  for (;;) {
    const run = await runState(db, runId)
    // Deleted together with the task.
    if (run === undefined) throw notFound('Task')
    const isUnfinished = run.outcome === 'queued' || run.outcome === 'running'
    if (!isUnfinished || stopping.aborted || performance.now() > until) return run
    await sleep(POLL_MS)
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
      ? `${message ?? ''} It is retried automatically.`
      : 'The run takes longer and continues in the background.'
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
