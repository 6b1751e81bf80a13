import type { AuditTargetType } from '@switchboard/contract/activity'
import { BULK_CALL_MS, BULK_MAX, type BulkAnswer } from '@switchboard/contract/wire/bulk'
import type { Database } from '@switchboard/database/tables'
import { asRefusal } from '@switchboard/server/http/error-handler'
import { conflict } from '@switchboard/server/http/errors'
import type { SelectQueryBuilder, Transaction } from 'kysely'
import { type Actor, refuseEndedSession } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { auditRefusal } from '#src/refusals/refusals.service.ts'
import { idsOf } from './selection.queries.ts'

/** Told by an action when the row is locked and about to change; throws to refuse. */
export type Guard = (trx: Transaction<Database>) => Promise<void>

/** Every id that a list's query matches, in its order. Throws 409 when they are too many to act on. */
export async function select<DB, Table extends keyof DB, Row>(
  { streamDb }: Pick<Deps, 'streamDb'>,
  query: SelectQueryBuilder<DB, Table, Row>,
): Promise<string[]> {
  const ids = await idsOf(streamDb, query, BULK_MAX + 1)
  if (ids.length > BULK_MAX)
    throw conflict(`More than ${BULK_MAX.toLocaleString('en-US')} match. Narrow the search or the filters first.`)
  return ids
}

/**
 * The guard of what was selected by a query: throws 409 for a row that has changed so that it is not what was meant.
 */
export function mustStillMatch(isMatching: (trx: Transaction<Database>) => Promise<boolean>): Guard {
  return async (trx) => {
    if (!(await isMatching(trx))) throw conflict('It has changed and does not match what was selected any more.')
  }
}

type Bulk = {
  ids: readonly string[]
  /** By id; those that are not there have none. */
  names: ReadonlyMap<string, string>
  /** Of the call for one row, as the audit log knows it: `tenants.delete` of a `tenant`. */
  action: string
  targetType: AuditTargetType
  /** What the call for one row does. */
  act: (id: string) => Promise<unknown>
  /** What is not there is as it should be. */
  isDeletion: boolean
}

/**
 * Does one thing to many rows, one after the other, each on its own: a refusal is a result and spoils no other row.
 * Stops early, after a row, when time is up or the next one fails for now; throws that failure when it is the first,
 * and 401 before the next row once the actor's session has ended. Whatever it has done is committed and may be asked
 * for again.
 */
export async function actOnEach(
  deps: Pick<Deps, 'db' | 'now' | 'log'>,
  actor: Actor,
  { ids, names, action, targetType, act, isDeletion }: Bulk,
): Promise<BulkAnswer> {
  const until = deps.now().getTime() + BULK_CALL_MS
  const results: BulkAnswer['results'] = []
  for (const id of new Set(ids)) {
    if (deps.now().getTime() > until) break
    const name = names.get(id) ?? null
    try {
      await refuseEndedSession(deps, actor)
      await act(id)
      results.push({ id, name, outcome: 'done', reason: null })
    } catch (error) {
      const refusal = asRefusal(error)
      const isForNow = refusal !== null && refusal.statusCode >= 500
      if (isForNow && results.length > 0) break
      if (refusal === null || isForNow || refusal.statusCode === 401) throw error
      const isGone = isDeletion && refusal.statusCode === 404
      if (!isGone) await auditRefusal(deps, actor, refusal, { action, target: { type: targetType, id, name } })
      results.push({ id, name, outcome: isGone ? 'done' : 'refused', reason: isGone ? null : refusal.message })
    }
  }
  return { results }
}
