import { createHash } from 'node:crypto'
import { SECRET_SCANNING_ACTOR } from '@switchboard/contract/activity'
import { isWellFormedKey } from '@switchboard/contract/api-keys/key-format'
import {
  type KeyReport,
  type KeyReportAnswer,
  REPORTED_URL_MAX,
  reportKeys,
} from '@switchboard/contract/api-keys/key-reports'
import { isWellFormedToken } from '@switchboard/contract/tokens/token-format'
import { cleanLine } from '@switchboard/contract/wire/text'
import { changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { databaseTime } from '@switchboard/database/database-clock'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Deps } from '#src/deps.ts'
import { lockKeyByHash, markReported } from './key-reports.queries.ts'

type Caller = { address: string; request_id: string }
type ReportDeps = Pick<Deps, 'db'> & { deactivates: boolean }

/**
 * Marks the reported keys as leaked, each in a separate transaction with one audit entry of the system, and answers which of
 * the reports are about a key. Idempotent: a repeated report changes nothing.
 */
export async function takeReports(
  deps: ReportDeps,
  caller: Caller,
  reports: readonly KeyReport[],
): Promise<KeyReportAnswer[]> {
  const answers: KeyReportAnswer[] = []
  // A service token is a secret of ours too, but reports only act on API keys: no answer instead of a wrong one.
  for (const report of reports.filter(({ token }) => !isWellFormedToken(token))) {
    const hash = createHash('sha256').update(report.token).digest()
    const isKey = isWellFormedKey(report.token) && (await markKey(deps, caller, hash, report.url ?? null))
    answers.push({
      token_hash: hash.toString('hex'),
      token_type: report.type,
      label: isKey ? 'true_positive' : 'false_positive',
    })
  }
  return answers
}

/** Whether a key has this hash. */
async function markKey({ db, deactivates }: ReportDeps, caller: Caller, hash: Buffer, url: string | null) {
  return await inTransaction(db, async (trx) => {
    const key = await lockKeyByHash(trx, hash)
    if (key === undefined || key.reported_at !== null) return key !== undefined
    const at = await databaseTime(trx)
    const reported_url = url === null ? null : cleanLine(url).slice(0, REPORTED_URL_MAX)
    const is_active = key.is_active && !deactivates
    await markReported(trx, key.id, { reported_at: at, reported_url, is_active })
    const before = { is_active: key.is_active, reported_at: null, reported_url: null }
    await writeAudit(
      trx,
      at,
      { id: null, email: SECRET_SCANNING_ACTOR, ...caller },
      {
        action: reportKeys.schema.operationId,
        target: { type: 'api_key', id: key.id, name: key.name, tenant_id: key.tenant_id },
        changes: changedFields<Record<string, unknown>>(before, {
          is_active,
          reported_at: at.toISOString(),
          reported_url,
        }),
      },
    )
    return true
  })
}
