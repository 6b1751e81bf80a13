import type { AuditRecord, ChainCheck } from '@switchboard/contract/activity'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { deletedEnd } from '@switchboard/database/audit/deleted-months'
import { deletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { AppError, notFound, unavailable } from '@switchboard/server/http/errors'
import pLimit from 'p-limit'
import type { Deps } from '#src/deps.ts'
import { auditRecord, countRowsOf } from './activity.queries.ts'

/** Duration of one call in milliseconds: far below every timeout, and short enough for a progress bar. */
const CALL_MS = 1_000
const oneAtATime = pLimit(1)
/** Readers that seal take turns within a process too, so that they do not use up the connections. */
const oneSealing = pLimit(1)
/** Maximum number of waiting checks. */
const WAITING_MAX = 10

/** Seals all entries before a list of the audit log is read, so that it has every change up to now. */
export async function sealEntries({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  try {
    await oneSealing(() => sealAudit(db))
  } catch (error) {
    // A read-only database still answers with the sealed entries.
    log.warn({ err: error }, 'the audit log could not be sealed before it was read')
  }
}

/** The number of rows of a tenant with every change up to now, a rotation as one row: at most `TOTAL_EXACT_MAX + 1`. */
export async function countActivityOf(deps: Pick<Deps, 'db' | 'log'>, tenantId: string): Promise<number> {
  await sealEntries(deps)
  return await countRowsOf(deps.db, tenantId)
}

/** One entry of the audit log with its changes. Throws 404, which names the month of a deleted row. */
export async function auditRecordOf({ db }: Pick<Deps, 'db'>, seq: number): Promise<AuditRecord> {
  const record = await auditRecord(db, seq)
  if (record !== undefined) return record
  const deleted = (await deletedMonths(db)).find(({ last_seq }) => seq <= last_seq)
  if (deleted === undefined) throw notFound('Audit row')
  throw new AppError(404, `Row ${seq} was deleted with the month ${deleted.month}. The log sinks have it.`)
}

/**
 * Checks the chain from `after` on, for about a second (`checkAuditChain` of the contract). Throws 503 when too many
 * wait.
 */
export async function checkChain(
  { streamDb }: Pick<Deps, 'streamDb'>,
  { after, noted }: { after?: string | undefined; noted?: string | undefined },
): Promise<ChainCheck> {
  if (oneAtATime.pendingCount >= WAITING_MAX)
    throw unavailable('Too many checks of the audit log are running. Try again in a moment.')
  return await oneAtATime(async () => {
    const until = performance.now() + CALL_MS
    let last: ChainState | undefined
    for await (const state of checkAuditChain(streamDb, { from: anchorOf(after), noted: anchorOf(noted) })) {
      last = state
      if (state.state === 'checking' && performance.now() > until) break
    }
    if (last === undefined) throw new Error('The check of the audit chain gave no state.')
    return answerOf(last)
  })
}

function answerOf(last: ChainState): ChainCheck {
  const { checked, rows, deleted, state } = last
  return {
    state,
    checked: `${checked.seq}:${checked.hash}`,
    checked_rows: checked.seq,
    rows,
    deleted_rows: deletedEnd(deleted).seq,
    unsealed_entries: last.state === 'holds' ? last.unsealed.entries : 0,
    unsealed_seconds: last.state === 'holds' ? Math.round(last.unsealed.oldest_seconds) : 0,
    problem: last.state === 'broken' ? last.problem : null,
    broken_row: last.state === 'broken' ? last.broken_row : null,
  }
}

/** Parses a checkpoint that the contract's schema has validated. */
function anchorOf(text: string | undefined): AuditAnchor | undefined {
  if (text === undefined) return undefined
  const [seq, hash = ''] = text.split(':')
  return { seq: Number(seq), hash }
}
