import { type AlertKind, alertKind } from '@switchboard/contract/signals/alerts'
import { alertRules, type RuleOf } from '@switchboard/database/alerts/alert-rules.queries'
import * as queries from '@switchboard/database/alerts/alerts.queries'
import { auditAlerts } from '@switchboard/database/alerts/audit-alerts'
import { type Cause, CAUSES, type FoundKind, givenCauses } from '@switchboard/database/alerts/causes.queries'
import { planMessages } from '@switchboard/database/alerts/plan-messages'
import { entriesAfter } from '@switchboard/database/audit/read-log'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { causesOfEntries } from './logged-causes.ts'

/** Entries of the audit log that are read at once, and how often in one look. */
const BATCH = 1_000
const BATCHES_MAX = 20

/**
 * Looks for causes of alerts: opens and resolves alerts with their audit entries, and plans the mails, all in one
 * transaction. Only one of several workers looks at a time, and no sooner than `leastAgeMs` after the last look. Returns
 * whether this one has looked.
 */
export async function evaluateAlerts(
  { db, mails, mailer, publicUrl }: Pick<Deps, 'db' | 'mails' | 'mailer' | 'publicUrl'>,
  leastAgeMs = 0,
): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const reader = await queries.lockReader(trx, { isPatient: false })
    if (reader === undefined || reader.age_seconds * 1_000 < leastAgeMs) return false
    const ruleOf = await alertRules(trx)
    const changed = await queries.resolveAllOf(
      trx,
      alertKind.options.filter((kind) => !ruleOf(kind).is_on),
    )
    for (const kind of foundKinds.filter((each) => ruleOf(each).is_on))
      changed.push(...(await queries.openAndResolve(trx, kind, CAUSES[kind](ruleOf(kind).threshold))))
    const { logged, seq } = await openLogged(trx, ruleOf, reader.seq)
    await auditAlerts(trx, [...changed, ...logged])
    await planMessages(trx, ruleOf, { enqueue: mailer === null ? null : mails.enqueue, publicUrl })
    await queries.moveReader(trx, seq)
    return true
  })
}

const foundKinds = Object.keys(CAUSES).filter((kind): kind is FoundKind => kind in CAUSES)

/** Opens alerts for the entries of the audit log after `seq`. Returns them, and the last entry. */
async function openLogged(trx: Transaction<Database>, ruleOf: RuleOf, seq: number) {
  const logged: queries.ChangedAlert[] = []
  let end = seq
  for (let n = 0; n < BATCHES_MAX; n += 1) {
    const entries = await entriesAfter(trx, end, BATCH)
    for (const [kind, causes] of causesOfEntries(entries))
      if (ruleOf(kind).is_on) logged.push(...(await open(trx, kind, causes)))
    end = entries.at(-1)?.seq ?? end
    if (entries.length < BATCH) break
  }
  return { logged, seq: end }
}

async function open(trx: Transaction<Database>, kind: AlertKind, causes: Cause[]): Promise<queries.ChangedAlert[]> {
  return causes.length === 0 ? [] : await queries.openAndResolve(trx, kind, givenCauses(causes))
}
