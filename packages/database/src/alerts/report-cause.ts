import type { AlertKind } from '@switchboard/contract/signals/alerts'
import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#src/in-transaction.ts'
import type { Database } from '#src/tables.ts'
import { alertRules, type RuleOf } from './alert-rules.queries.ts'
import { type ChangedAlert, lockReader, openAndResolve, resolveAllOf } from './alerts.queries.ts'
import { auditAlerts } from './audit-alerts.ts'
import { givenCauses } from './causes.queries.ts'

/**
 * Opens the one alert of a kind that is about the installation, or resolves it.
 *
 * @param text What is wrong, as a sentence. Null: nothing.
 * @param then Further work in the same transaction, which has the lock of the reader.
 */
export async function reportCause(
  db: Kysely<Database>,
  kind: AlertKind,
  text: string | null,
  then?: (trx: Transaction<Database>, ruleOf: RuleOf) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockReader(trx, { isPatient: true })
    const ruleOf = await alertRules(trx)
    await auditAlerts(trx, ruleOf(kind).is_on ? await openOrResolve(trx, kind, text) : await resolveAllOf(trx, [kind]))
    await then?.(trx, ruleOf)
  })
}

async function openOrResolve(
  trx: Transaction<Database>,
  kind: AlertKind,
  text: string | null,
): Promise<ChangedAlert[]> {
  const about = { target_type: null, target_id: null, target_name: null, tenant_id: null }
  return await openAndResolve(trx, kind, givenCauses(text === null ? [] : [{ cause: kind, text, ...about }]))
}
