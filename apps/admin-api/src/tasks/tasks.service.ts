import { isDeepStrictEqual } from 'node:util'
import { nextRun } from '@switchboard/contract/tasks/schedule'
import * as contract from '@switchboard/contract/tasks'
import type { CreateTaskBody, Task, UpdateTaskBody } from '@switchboard/contract/tasks'
import { addedFields, auditedTask, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import { AppError, invalidField, notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import * as queries from './tasks.queries.ts'

/** The task with this id. Throws 404. */
export async function taskOf({ db }: Pick<Deps, 'db'>, id: string): Promise<Task> {
  const task = await queries.taskById(db, id)
  if (task === undefined) throw notFound('Task')
  return task
}

/**
 * Schedules a task, with the first run in a period from now, or at the next time of day. Throws 404 for an unknown tenant,
 * 409 if the tenant already has this task for the place, and 422 for a time without a zone.
 */
export async function createTask({ db, now }: Deps, actor: Actor, body: CreateTaskBody): Promise<Task> {
  return await inTransaction(db, async (trx) => {
    if ((await lockOwningTenant(trx, body.tenant_id)) === undefined) throw notFound('Tenant')
    // The tenant's lock prevents a race condition: the second of two such calls waits and finds the first task.
    await refuseSamePlace(trx, { ...body, place_id: body.extra_data.place_id })
    const at = now()
    const time = timeOf(body, NO_TIME)
    const next_run = new Date(nextRun({ ...body, ...time, created_at: at.toISOString() }, at.toISOString()))
    const task = await queries.insertTask(trx, { ...body, ...time, created_at: at, next_run })
    const { tenant_name, schedule_name, frequency, extra_data } = task
    await writeAudit(trx, at, actor, {
      action: contract.createTask.schema.operationId,
      target: auditedTask(task),
      changes: addedFields({ tenant_name, schedule_name, frequency, ...givenTime(task), ...extra_data }),
    })
    return task
  })
}

/**
 * Changes the given fields. A new frequency or time and a resume recompute the next time, so that runs missed during a
 * pause do not start later. Throws 404, 409 when the tenant has another task for the new place, 412 when
 * `expectedVersion` is given and another admin has saved since, and 422 for a time without a zone.
 */
export async function updateTask(
  { db, now }: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  body: UpdateTaskBody,
): Promise<Task> {
  return await inTransaction(db, async (trx) => {
    const before = await queries.lockTask(trx, id)
    if (before === undefined) throw notFound('Task')
    await refuseStale(trx, 'task', before, expectedVersion)
    const changes = changesOf(before, body)
    if (Object.keys(changes).length === 0) return before
    const isMoved = body.extra_data !== undefined && body.extra_data.place_id !== before.extra_data.place_id
    const isResumed = before.is_paused && body.is_paused === false
    const time = timeOf(body, before)
    const isRetimed = 'frequency' in changes || 'run_time' in changes || 'time_zone' in changes
    const { is_paused = before.is_paused, frequency = before.frequency, extra_data = before.extra_data } = body
    if (isMoved) {
      await refuseSamePlace(trx, { ...before, place_id: extra_data.place_id })
      await queries.deletePull(trx, id)
    }
    const after = await queries.updateTaskRow(trx, id, {
      is_paused,
      frequency,
      ...time,
      extra_data,
      ...('is_paused' in changes && { paused_reason: null }),
      ...((isMoved || isResumed) && { failures_in_a_row: 0 }),
      ...((isRetimed || isResumed) && {
        next_run: new Date(nextRun({ ...before, ...time, frequency }, now().toISOString())),
      }),
    })
    await writeAudit(trx, now(), actor, {
      action: contract.updateTask.schema.operationId,
      target: auditedTask(after),
      changes,
    })
    return after
  })
}

/** Throws 409 with the id of the tenant's other task for this place, if any. */
async function refuseSamePlace(...[trx, task]: Parameters<typeof queries.taskOfPlace>): Promise<void> {
  const other = await queries.taskOfPlace(trx, task)
  if (other === undefined) return
  const sentence = `${other.tenant_name} already has a ${other.frequency} task for this place.`
  throw new AppError(409, sentence, { extra: { task_id: other.id } })
}

type Time = Pick<Task, 'run_time' | 'time_zone'>
const NO_TIME: Time = { run_time: null, time_zone: null }

/** The time of day after a change. Throws 422 for a time without a zone, or the reverse. */
function timeOf({ run_time, time_zone }: Pick<UpdateTaskBody, keyof Time>, before: Time): Time {
  const time = {
    run_time: run_time === undefined ? before.run_time : run_time,
    time_zone: time_zone === undefined ? before.time_zone : time_zone,
  }
  if ((time.run_time === null) !== (time.time_zone === null))
    throw invalidField(time.time_zone === null ? 'time_zone' : 'run_time', contract.TIME_NEEDS_ZONE)
  return time
}

/** The time of day, for the audit log; empty without one. */
export function givenTime({ run_time, time_zone }: Time): Partial<Time> {
  return run_time === null ? {} : { run_time, time_zone }
}

function changesOf(before: Task, { extra_data, ...fields }: UpdateTaskBody): AuditChanges {
  const isSamePlace = extra_data === undefined || isDeepStrictEqual({ ...extra_data }, { ...before.extra_data })
  return {
    ...changedFields(before, fields),
    ...(!isSamePlace && { extra_data: { before: before.extra_data, after: extra_data } }),
  }
}
