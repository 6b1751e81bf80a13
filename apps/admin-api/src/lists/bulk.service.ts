import type { AuditTargetType } from '@switchboard/contract/activity'
import { BULK_CALL_MS, BULK_MAX, type BulkAnswer } from '@switchboard/contract/wire/bulk'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { asRefusal } from '@switchboard/server/http/error-handler'
import { conflict } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { refuseUnconfirmed } from '#src/auth/confirmation/confirmation.service.ts'
import { refuseWithout } from '#src/auth/sessions/roles.service.ts'
import { auditRefusal } from '#src/requests/refusals/refusals.service.ts'
import { type Actor, refuseEndedSession } from '#src/auth/sessions/sessions.service.ts'
import { idsOf, type RowsQuery } from './rows.queries.ts'

/** The actions of a noun on many rows. */
export type BulkRules<Action extends string, Row> = {
  targetType: AuditTargetType
  /** The id of the target in the audit log, unless it is the id of the row. */
  targetOf?: (row: Row) => string
  /** Locks a row, with the locks of the actions in their order. Undefined for a deleted row. */
  lock: (trx: Transaction<Database>, id: string) => Promise<Row | undefined>
  nameOf: (row: Row) => string
  actions: Record<Action, BulkAction<Row>>
}
type BulkAction<Row> = {
  /** The endpoint for a single row. Its capability applies, and its operation id is the action in the audit log. */
  endpoint: Pick<Endpoint, 'method' | 'schema' | 'config'>
  /** Whether a row is already in the requested state. Missing for a deletion. */
  isDone?: (row: Row) => boolean
  /** Reason to skip a row, or null. */
  skipReason?: (row: Row) => string | null
  act: (deps: Deps, actor: Actor, id: string) => Promise<unknown>
}

/** The ids of a sorted query. Throws 409 for more than `BULK_MAX`. */
export async function selectIds({ streamDb }: Pick<Deps, 'streamDb'>, query: RowsQuery<unknown>): Promise<string[]> {
  const ids = await idsOf(streamDb, query, BULK_MAX + 1)
  if (ids.length > BULK_MAX)
    throw conflict(`More than ${BULK_MAX.toLocaleString('en-US')} match. Narrow the search or the filters first.`)
  return ids
}

/**
 * Acts on each row in a separate transaction: each row succeeds or fails on its own. A row that no longer matches is
 * refused, unless it is already in the requested state. Returns early when the time is up or a row fails with a
 * retryable error; throws that error for the first row, 403 for an action that the actor's role does not allow or that
 * needs a confirmation, and 401 once the actor's session has ended. After a change of the role, the other rows are
 * refused. All rows of the answer are committed, and the call is idempotent.
 */
export async function actOnEach<Action extends string, Row>(
  deps: Deps,
  actor: Actor,
  { targetType, targetOf, lock, nameOf, actions }: BulkRules<Action, Row>,
  bulk: {
    action: Action
    isSensitive: boolean
    ids: string[]
    isMatching: (trx: Transaction<Database>, id: string) => Promise<boolean>
  },
): Promise<BulkAnswer> {
  const { endpoint, isDone, skipReason, act } = actions[bulk.action]
  refuseWithout(actor, endpoint.config?.capability)
  if (bulk.isSensitive) refuseUnconfirmed(deps, actor)
  const until = deps.now().getTime() + BULK_CALL_MS
  const names = new Map<string, string>()
  const targets = new Map<string, string>()
  const results: BulkAnswer['results'] = []
  for (const id of new Set(bulk.ids)) {
    if (deps.now().getTime() > until) break
    let isChanged = true
    let skipped: string | null = null
    try {
      refuseWithout({ admin: await refuseEndedSession(deps, actor) }, endpoint.config?.capability)
      await inTransaction(deps.db, async (trx) => {
        const row = await lock(trx, id)
        if (row !== undefined) {
          names.set(id, nameOf(row))
          targets.set(id, targetOf?.(row) ?? id)
          skipped = skipReason?.(row) ?? null
          isChanged = skipped === null && isDone?.(row) !== true
          if (isChanged && !(await bulk.isMatching(trx, id)))
            throw conflict('The row has changed and no longer matches the selection.')
        }
        if (skipped === null) await act({ ...deps, db: trx }, actor, id)
      })
      const outcome = skipped === null ? 'done' : 'skipped'
      results.push({ id, name: names.get(id) ?? null, outcome, reason: skipped, is_changed: isChanged })
    } catch (error) {
      const refusal = asRefusal(error)
      const isRetryable = refusal !== null && refusal.statusCode >= 500
      if (isRetryable && results.length > 0) break
      if (refusal === null || isRetryable || refusal.statusCode === 401) throw error
      const name = names.get(id) ?? null
      if (endpoint.method === 'DELETE' && refusal.statusCode === 404) {
        results.push({ id, name, outcome: 'done', reason: null, is_changed: false })
        continue
      }
      const action = endpoint.schema.operationId
      await auditRefusal(deps, actor, refusal, {
        action,
        target: { type: targetType, id: targets.get(id) ?? id, name },
      })
      results.push({ id, name, outcome: 'refused', reason: refusal.message, is_changed: false })
    }
  }
  return { results }
}
