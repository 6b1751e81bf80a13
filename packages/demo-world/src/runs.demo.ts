import { type Frequency, nextRuns, type Schedule } from '@switchboard/contract/tasks/schedule'
import { REVIEW_RETENTION_DAYS } from '@switchboard/contract/reviews'
import { runTask } from '@switchboard/contract/runs'
import { dayOf } from '@switchboard/contract/wire/days'
import { FAILURES_MAX, type TaskPlace, updateTask } from '@switchboard/contract/tasks'
import type { Insertable } from 'kysely'
import { type AuditTarget, changedFields } from '@switchboard/database/audit/audit.queries'
import { runEndEntry } from '@switchboard/database/audit/run-end'
import { WORKER } from '@switchboard/database/audit/system-actors'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { DAY_MS, HOUR_MS, midnight, workingMoment } from './calendar.ts'
import type { Chance } from './chance.ts'
import type { DemoFailure, DemoMaps, DemoReview, DemoSkip } from './maps.ts'
import { actingColleague, actorAt, actorOf, type Colleague, type DemoEvent, doneBy } from './staff.ts'
import type { DemoTenant, World } from './world.ts'

export type TaskSetting = {
  world: World
  maps: DemoMaps
  tenant: DemoTenant
  chance: Chance
  frequency: Frequency
  time: Pick<Schedule, 'run_time' | 'time_zone'>
  createdAt: number
  scenario: Scenario
}

/** Histories of tasks with failures, one task each. Each of these tasks has many runs. */
export const SCENARIOS = [
  'failed_once',
  'failed_twice',
  'paused_itself',
  'paused_itself',
  'paused_by_admin',
  'paused_by_admin',
  'quota_used_up',
  'place_changed',
  'overlapped',
  'broken_off',
  'unreachable',
  'unreachable',
] as const
export type Scenario = (typeof SCENARIOS)[number] | 'healthy'

/** A time of a run. `by` started a manual run. `remaining` is the number of later times. */
type Time = { at: number; by: Colleague | null; remaining: number }
/** State of a task after a run. */
type State = Partial<Insertable<Database['tasks']>> & { version: number; failures_in_a_row: number; is_paused: boolean }
/** A run as the demo stores it, and the end of one. */
type RunEnd = Pick<Insertable<Database['runs']>, 'started_at' | 'interruptions' | 'reviews_returned'> & {
  outcome: 'succeeded' | 'failed' | 'skipped'
  attempts?: number
  reason?: string | null
  message?: string | null
  finished_at?: Date
  reviews_new?: number | null
  reviews_changed?: number | null
}
type ReviewRow = Insertable<Database['reviews']>

/** An outage: all runs of some hours failed because of a wrong Google key. */
const OUTAGE_DAYS_AGO = 38
const OUTAGE_HOURS = [8, 15] as const
/** A place id without its beginning, like an incomplete copy. */
const MALFORMED = 'GhIJ2fA8dHkMRUARN1t_tDeuEms'

/** Adds all runs and reviews of a task until now. Returns the state and the place of the task. */
export function addHistory(
  setting: TaskSetting,
  { id, target, place: firstPlace }: { id: string; place: TaskPlace; target: AuditTarget },
) {
  const { world, maps, tenant, chance, scenario } = setting
  const { now, staff, rows, events } = world
  let place = firstPlace
  const state: State = { version: 1, failures_in_a_row: 0, is_paused: false }
  const seen = new Map<string, ReviewRow>()
  const ratings = new Map<string, Insertable<Database['place_ratings']>>()

  const run = (time: Time, given: RunEnd) => {
    const end = {
      id: chance.uuid(),
      trigger: time.by === null ? ('schedule' as const) : ('manual' as const),
      attempts: 0,
      reason: null,
      message: null,
      finished_at: new Date(time.at),
      ...given,
    }
    rows.runs.push({ task_id: id, started_by: time.by?.email ?? null, created_at: new Date(time.at), ...end })
    const entry = runEndEntry(target, { ...end, wasFailing: state.last_outcome === 'failed' })
    if (entry !== null) events.push({ at: end.finished_at.getTime(), actor: WORKER, ...entry })
  }
  const update = (at: number, changes: AuditChanges, more: Partial<DemoEvent> = {}) => {
    state.version += 1
    events.push({ ...doneBy(actorAt(staff, at, chance), at, updateTask, { target, changes }), ...more })
  }
  const move = (at: number, place_id: string) => {
    const before = place
    place = { ...place, place_id }
    Object.assign(state, { failures_in_a_row: 0, pulled_place: null, are_reviews_kept: null })
    seen.clear()
    ratings.clear()
    update(at, changedFields<Record<string, unknown>>({ extra_data: before }, { extra_data: place }))
  }
  const pause = (at: number, reason: string | null) => {
    Object.assign(state, { is_paused: true, paused_reason: reason })
    const byWorker = reason === null ? {} : { actor: WORKER, reason }
    update(at, changedFields({ is_paused: false }, { is_paused: true }), byWorker)
  }

  const skip = (time: Time, reason: DemoSkip) =>
    run(time, { outcome: 'skipped', reason, message: maps.sentenceOf(reason) })

  const fail = (time: Time, failure: Failure) => {
    const { startedAt, endedAt } = durationOf(time.at, failure.attempts, chance)
    const message = maps.sentenceOf(failure.reason)
    const ended = { started_at: new Date(startedAt), finished_at: new Date(endedAt) }
    run(time, { ...failure, ...ended, outcome: 'failed', message })
    state.last_outcome = 'failed'
    if (!PERMANENT.has(failure.reason)) return
    state.failures_in_a_row += 1
    if (state.failures_in_a_row >= FAILURES_MAX)
      pause(endedAt, `Paused after ${FAILURES_MAX} failures in a row: ${message}`)
  }

  const succeed = (time: Time) => {
    const attempts = chance.is(0.05) ? chance.integer(2, 3) : 1
    const interruptions = attempts > 1 && chance.is(0.2) ? 1 : 0
    const { startedAt, endedAt } = durationOf(time.at, attempts, chance)
    const at = new Date(endedAt)
    const { place: pulled, reviews } = maps.detailsAt(place.place_id, at)
    const counts = mergeReviews(seen, id, reviews, at)
    const { rating, user_rating_count } = pulled
    const day = dayOf(at.getTime())
    if (rating !== null && user_rating_count !== null) ratings.set(day, { task_id: id, day, rating, user_rating_count })
    const ended = { started_at: new Date(startedAt), finished_at: at }
    run(time, { ...ended, ...counts, attempts, interruptions, outcome: 'succeeded', reviews_returned: reviews.length })
    const pull = { pulled_place: JSON.stringify(pulled), are_reviews_kept: true }
    Object.assign(state, { last_run: at, last_outcome: 'succeeded', failures_in_a_row: 0, ...pull })
  }

  const outageFrom = midnight(now) - OUTAGE_DAYS_AGO * DAY_MS
  for (const time of timesOf(setting)) {
    const { at, remaining, by } = time
    if (by !== null) events.push(doneBy(actorOf(by, chance), at, runTask, { target }))
    if ((scenario === 'failed_once' && remaining === 0) || (scenario === 'failed_twice' && remaining === 1))
      move(at - 5 * HOUR_MS, MALFORMED)
    if (scenario === 'paused_by_admin' && remaining === 1) pause(at - 7 * HOUR_MS, null)

    const failure = failureOf(scenario, remaining, place.place_id === MALFORMED)
    const isOutage = at > outageFrom + OUTAGE_HOURS[0] * HOUR_MS && at < outageFrom + OUTAGE_HOURS[1] * HOUR_MS
    if (tenant.inactiveSince !== null && at > tenant.inactiveSince) skip(time, 'tenant_inactive')
    else if (state.is_paused) skip(time, 'task_paused')
    else if (scenario === 'overlapped' && remaining === 1) skip(time, 'already_running')
    else if (scenario === 'place_changed' && remaining === 1) {
      skip(time, 'place_changed')
      move(at + 900, maps.placeId({ ...tenant, name: `${tenant.row.name} Annexe` }))
    } else if (failure !== null) fail(time, failure)
    else if (isOutage) fail(time, { reason: 'key_invalid', attempts: 1 })
    else if (chance.is(0.012)) fail(time, { reason: chance.pick(RETRYABLE), attempts: 4 })
    else succeed(time)
  }

  const retainedSince = now - REVIEW_RETENTION_DAYS * DAY_MS
  const retained = [...seen.values()].filter(({ last_seen_at }) => last_seen_at.getTime() > retainedSince)
  rows.reviews.push(...retained)
  rows.place_ratings.push(...[...ratings.values()].filter(({ day }) => day > dayOf(retainedSince)))
  return { state, place }
}

type Failure = { reason: DemoFailure; attempts: number; interruptions?: number }
const RETRYABLE = ['unavailable', 'timeout', 'quota_minute'] as const
/** Permanent failures. `FAILURES_MAX` in a row pause the task. */
const PERMANENT: ReadonlySet<string> = new Set(['place_malformed', 'place_obsolete'])

function failureOf(scenario: Scenario, remaining: number, isMalformed: boolean): Failure | null {
  if (isMalformed) return { reason: 'place_malformed', attempts: 1 }
  if (scenario === 'paused_itself' && remaining < 5) return { reason: 'place_obsolete', attempts: 1 }
  if (scenario === 'unreachable' && remaining === 0) return { reason: 'unreachable', attempts: 4 }
  // The first attempt, and one more after each interruption.
  return scenario === 'broken_off' && remaining === 1 ? { reason: 'broken_off', attempts: 6, interruptions: 5 } : null
}

/** The times of the schedule, and some manual runs. */
function timesOf({ world, tenant, chance, frequency, time: timeOfDay, createdAt, scenario }: TaskSetting): Time[] {
  const { now, staff } = world
  const anchor = new Date(createdAt).toISOString()
  const most = Math.ceil((now - createdAt) / DAY_MS) + 1
  const planned = nextRuns({ ...timeOfDay, created_at: anchor, frequency }, anchor, most).map((moment) => ({
    at: Date.parse(moment),
    by: null,
  }))
  const manualStarts = [
    ...(chance.is(0.25) ? [createdAt + chance.integer(50, 400) * 1_000] : []),
    ...(scenario === 'healthy' && chance.is(0.2) ? [workingMoment(now, chance.integer(2, 25), chance)] : []),
  ].filter((at) => at > createdAt && at < (tenant.inactiveSince ?? now))
  const manual = manualStarts.map((at) => ({ at, by: actingColleague(staff, at, chance) }))
  const times = [...planned, ...manual]
    .filter(({ at }) => at < now - HOUR_MS)
    .toSorted((one, other) => one.at - other.at)
  return times.map((time, n) => ({ ...time, remaining: times.length - 1 - n }))
}

/** Start of a run, at the next poll of the worker, and its end after all attempts and waits. */
function durationOf(at: number, attempts: number, chance: Chance) {
  const startedAt = at + chance.integer(300, 58_000)
  let endedAt = startedAt + chance.integer(180, 1_900)
  for (let attempt = 1; attempt < attempts; attempt += 1)
    endedAt += 15_000 * 4 ** Math.min(attempt - 1, 2) + chance.integer(200, 4_000)
  return { startedAt, endedAt }
}

/** Merges the reviews of a run into the earlier reviews, like the worker. */
function mergeReviews(seen: Map<string, ReviewRow>, taskId: string, reviews: readonly DemoReview[], at: Date) {
  const counts = { reviews_new: 0, reviews_changed: 0 }
  for (const [index, review] of reviews.entries()) {
    const before = seen.get(review.name)
    const isChanged = before !== undefined && (before.text !== review.text || before.rating !== review.rating)
    if (before === undefined) counts.reviews_new += 1
    if (isChanged) counts.reviews_changed += 1
    seen.set(review.name, {
      ...review,
      task_id: taskId,
      rank: index + 1,
      publish_time: review.publish_time === null ? null : new Date(review.publish_time),
      first_seen_at: before?.first_seen_at ?? at,
      last_seen_at: at,
      last_changed_at: before === undefined || isChanged ? at : before.last_changed_at,
    })
  }
  return counts
}
