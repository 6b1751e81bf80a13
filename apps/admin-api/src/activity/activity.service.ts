import type { AuditRecord, ChainCheck } from '@switchboard/contract/activity'
import { type AuditAnchor, type ChainState, checkAuditChain } from '@switchboard/database/audit/audit-chain'
import { notFound, unavailable } from '@switchboard/server/http/errors'
import pLimit from 'p-limit'
import type { Deps } from '#src/deps.ts'
import { auditRecord } from './activity.queries.ts'

/** Duration of one call: far below every timeout, and short enough for a progress bar. */
const CALL_MS = 1_000
/** One check at a time on each server; maximum number of waiting checks. */
const turn = pLimit(1)
const IN_LINE_MAX = 10

/** Throws 404. */
export async function auditRecordOf({ db }: Pick<Deps, 'db'>, seq: number): Promise<AuditRecord> {
  const record = await auditRecord(db, seq)
  if (record === undefined) throw notFound('Audit row')
  return record
}

/**
 * Checks the chain from `after` on, for about a second (`checkAuditChain` of the contract). Throws 503 when too many
 * wait.
 */
export async function checkChain(
  { streamDb }: Pick<Deps, 'streamDb'>,
  { after, noted }: { after?: string | undefined; noted?: string | undefined },
): Promise<ChainCheck> {
  if (turn.pendingCount >= IN_LINE_MAX) throw unavailable('Others are checking the chain. Try again in a moment.')
  return await turn(async () => {
    const until = performance.now() + CALL_MS
    let found: ChainState | undefined
    for await (const state of checkAuditChain(streamDb, { from: anchorOf(after), noted: anchorOf(noted) })) {
      found = state
      if (state.state === 'checking' && performance.now() > until) break
    }
    if (found === undefined) throw new Error('The check said nothing.')
    return answerOf(found)
  })
}

function answerOf(found: ChainState): ChainCheck {
  const { checked, rows, state } = found
  return {
    state,
    checked: `${checked.seq}:${checked.hash}`,
    checked_rows: checked.seq,
    rows,
    problem: found.state === 'broken' ? found.problem : null,
    broken_row: found.state === 'broken' ? found.broken_row : null,
  }
}

/** Parses a checkpoint that the contract's schema has validated. */
function anchorOf(text: string | undefined): AuditAnchor | undefined {
  if (text === undefined) return undefined
  const [seq, hash = ''] = text.split(':')
  return { seq: Number(seq), hash }
}
