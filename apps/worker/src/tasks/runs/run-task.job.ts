import { inTransaction } from '@switchboard/database/in-transaction'
import { FAILURES_MAX, updateTask } from '@switchboard/contract/tasks'
import { pulledPlace } from '@switchboard/contract/reviews'
import { auditedTask, writeAudit } from '@switchboard/database/audit/audit.queries'
import { WORKER } from '@switchboard/database/audit/system-actors'
import { databaseTime } from '@switchboard/database/database-clock'
import type { Database } from '@switchboard/database/tables'
import type { RunTaskPayload } from '@switchboard/jobs/run-queue'
import type { PlaceDetails } from '@switchboard/places/google-answers'
import { PlacesError } from '@switchboard/places/places-error'
import type { Transaction } from 'kysely'
import type { CountedRun, Deps } from '#src/deps.ts'
import { deleteReviews, storeRating, storeReviews } from '#src/reviews/reviews.queries.ts'
import { endRun, type LockedRun, type LockedTask } from './end-run.service.ts'
import { deleteRunsBeyondLimit } from './old-runs.queries.ts'
import { ATTEMPTS_MAX, retryDelayMs } from '@switchboard/jobs/retry-delay'
import * as queries from './runs.queries.ts'
import { skipReason, SKIPS, type SkipReason } from './skips.service.ts'

/** After a fault of the platform, a task runs again within this time, even with a rare schedule. */
export const RUN_AGAIN_HOURS = 24
/** Message of a run that was given up. */
export const BROKEN_OFF = 'The run was interrupted several times. Ask operations to look at the log.'

type Locked = { task: LockedTask; run: LockedRun }
/** One attempt of a run. The number is a fencing token: only the latest attempt may end the run. */
type Attempt = { run_id: string; number: number; lost: number; place_id: string }

/**
 * Executes a run, whether scheduled or started by an admin. Idempotent and safe to call concurrently: only the latest
 * attempt can end a run, and an ended or deleted run does not change. A retryable fault postpones the run, any other
 * fault ends it; neither throws.
 */
export async function runTask(deps: Deps, { run_id }: RunTaskPayload): Promise<void> {
  const attempt = await begin(deps, run_id)
  if (attempt === 'skipped') deps.runCounts.count(attempt)
  if (attempt === null || attempt === 'skipped') return
  const result = await deps.places.placeDetails(attempt.place_id).catch((error: unknown) => {
    if (error instanceof PlacesError) return error
    throw error
  })
  if (result instanceof PlacesError) {
    // Operators must fix a fault of the platform.
    const level = result.kind === 'platform' ? 'error' : 'warn'
    deps.log[level]({ run_id, reason: result.message }, 'a pull of reviews failed')
  }
  await ifLatestAttempt(deps, attempt, async (trx, locked) => {
    if (locked.task.extra_data.place_id !== attempt.place_id) return await skip(trx, locked, 'place_changed')
    return result instanceof PlacesError
      ? await fail(deps, trx, { ...locked, attempt }, result)
      : await succeed(deps, trx, locked, result)
  })
}

/** Ends a run whose workers were lost too often. The run itself may be the cause. */
export async function giveUpRun(deps: Deps, { run_id }: RunTaskPayload): Promise<void> {
  const isGivenUp = await inTransaction(deps.db, async (trx) => {
    const task = await queries.lockTaskOfRun(trx, run_id)
    const run = await queries.lockRun(trx, run_id)
    if (task === undefined || run === undefined || isOver(run)) return false
    await queries.recordFailure(trx, task.id, task.failures_in_a_row)
    await endRun(trx, task, run, { outcome: 'failed', reason: 'broken_off', message: BROKEN_OFF })
    return true
  })
  if (isGivenUp) deps.runCounts.count('failed')
}

async function begin({ db }: Deps, run_id: string): Promise<Attempt | 'skipped' | null> {
  return await inTransaction(db, async (trx) => {
    const task = await queries.lockTaskOfRun(trx, run_id)
    const run = await queries.lockRun(trx, run_id)
    if (task === undefined || run === undefined || isOver(run)) return null
    await deleteRunsBeyondLimit(trx, task.id)
    const reason = skipReason(task, run.trigger)
    if (reason !== null) return await skip(trx, { task, run }, reason)
    // A run still in state "running" has lost the worker of its previous attempt.
    const interruptions = run.interruptions + (run.outcome === 'running' ? 1 : 0)
    const attempts = run.attempts + 1
    await queries.beginAttempt(trx, run_id, { attempts, interruptions })
    return { run_id, number: attempts, lost: interruptions, place_id: task.extra_data.place_id }
  })
}

/** Writes the end of an attempt, unless the task was deleted or a newer attempt has started. */
async function ifLatestAttempt(
  { db, runCounts }: Deps,
  { run_id, number }: Attempt,
  end: (trx: Transaction<Database>, locked: Locked) => Promise<CountedRun>,
): Promise<void> {
  const outcome = await inTransaction(db, async (trx) => {
    const task = await queries.lockTaskOfRun(trx, run_id)
    const run = await queries.lockRun(trx, run_id)
    if (task === undefined || run?.outcome !== 'running' || run.attempts !== number) return null
    return await end(trx, { task, run })
  })
  if (outcome !== null) runCounts.count(outcome)
}

async function succeed(
  { areReviewsKept }: Deps,
  trx: Transaction<Database>,
  { task, run }: Locked,
  place: PlaceDetails,
): Promise<CountedRun> {
  const counts = areReviewsKept
    ? await storeReviews(trx, task.id, place.reviews)
    : { reviews_new: null, reviews_changed: null }
  if (areReviewsKept) await storeRating(trx, task.id, place)
  else await deleteReviews(trx, task.id)
  // Parsing drops the fields that the task does not store.
  await queries.recordSuccess(trx, task.id, areReviewsKept ? pulledPlace.parse(place) : null)
  const outcome = 'succeeded'
  await endRun(trx, task, run, {
    outcome,
    reason: null,
    message: null,
    reviews_returned: place.reviews.length,
    ...counts,
  })
  return outcome
}

async function fail(
  deps: Deps,
  trx: Transaction<Database>,
  { task, run, attempt }: Locked & { attempt: Attempt },
  error: PlacesError,
): Promise<CountedRun> {
  const { run_id, number, lost } = attempt
  const { reason, sentence: message, kind } = error
  const isRetryable = kind === 'transient' || kind === 'later'
  if (isRetryable && number - lost < ATTEMPTS_MAX) {
    const waitMs = retryDelayMs(deps, number - lost, error.retryAfterMs)
    await queries.postponeRun(trx, run_id, { waitMs, reason, message })
    await deps.queue.enqueue(trx, [{ run_id, delayMs: waitMs }])
    return 'retrying'
  }
  const failures = task.failures_in_a_row + (kind === 'permanent' ? 1 : 0)
  await queries.recordFailure(trx, task.id, failures)
  const outcome = 'failed'
  await endRun(trx, task, run, { outcome, reason, message })
  // The task is not at fault, so it is not paused and runs again within a day.
  if (kind === 'platform') await queries.runAgainWithin(trx, task.id, RUN_AGAIN_HOURS)
  if (kind === 'permanent' && failures >= FAILURES_MAX && !task.is_paused) await pause(trx, task, message)
  return outcome
}

async function pause(trx: Transaction<Database>, task: LockedTask, sentence: string): Promise<void> {
  const paused_reason = `Paused after ${FAILURES_MAX} failures in a row: ${sentence}`
  await queries.pauseTask(trx, task.id, paused_reason)
  await writeAudit(trx, await databaseTime(trx), WORKER, {
    action: updateTask.schema.operationId,
    reason: paused_reason,
    target: auditedTask(task),
    changes: { is_paused: { before: false, after: true } },
  })
}

async function skip(trx: Transaction<Database>, { task, run }: Locked, reason: SkipReason): Promise<'skipped'> {
  const outcome = 'skipped'
  await endRun(trx, task, run, { outcome, reason, message: SKIPS[reason] })
  return outcome
}

export function isOver({ outcome }: { outcome: string }): boolean {
  return outcome === 'succeeded' || outcome === 'failed' || outcome === 'skipped'
}
