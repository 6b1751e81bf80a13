import { remedyOf } from '@switchboard/contract/signals/alert-kinds'
import type { AlertRule } from '@switchboard/contract/signals/alert-rules'
import { type AlertKind, alertKind } from '@switchboard/contract/signals/alerts'
import { ALERTS_TOLD_ACTION } from '@switchboard/contract/activity'
import type { Transaction } from 'kysely'
import { addedFields, writeAudits } from '#src/audit/audit.queries.ts'
import { databaseTime } from '#src/database-clock.ts'
import type { Database } from '#src/tables.ts'
import { peopleToTell, type RuleOf, webhooksToTell } from './alert-rules.queries.ts'
import { WORKER } from '#src/audit/system-actors.ts'
import { alertNews, insertAlertMail, markTold, messageTimes } from './alerts.queries.ts'

/** Adds the job of a mail in the caller's transaction. */
export type EnqueueAlertMail = (trx: Transaction<Database>, job: { alert_mail_id: string }) => Promise<void>

/** Alerts that a message to a webhook names. The others are a number. */
const NAMED_MAX = 10

/** `enqueue` is null on a server without mail. `publicUrl` is the origin of the console, if known. */
type Senders = { enqueue: EnqueueAlertMail | null; publicUrl: string | undefined }

type Person = { id: string; email: string; is_super_admin: boolean }
type News = Awaited<ReturnType<typeof alertNews>>[number]

/**
 * Plans one mail to each person and one event for each webhook about all alerts that opened or ended since the last message,
 * unless it is too early or quiet hours hold them. Needs the lock of the reader. Returns the ids of the mails.
 *
 * @param kinds Only alerts of these kinds.
 */
export async function planMessages(
  trx: Transaction<Database>,
  ruleOf: RuleOf,
  { enqueue, publicUrl }: Senders,
  kinds: readonly AlertKind[] = alertKind.options,
): Promise<string[]> {
  const { is_early, is_quiet } = await messageTimes(trx)
  if (is_early) return []
  const told = await alertNews(
    trx,
    kinds.filter((kind) => !is_quiet || ruleOf(kind).is_urgent),
  )
  if (told.length === 0) return []
  const people = await peopleToTell(trx)
  const mails: string[] = []
  if (enqueue !== null)
    for (const person of people) {
      const own = told.filter(({ kind }) => recipientsOf(ruleOf(kind), people).includes(person))
      if (own.length === 0) continue
      const id = await insertAlertMail(trx, { mail_to: person.email, ...idsByNews(own) })
      await enqueue(trx, { alert_mail_id: id })
      mails.push(id)
    }
  await tellWebhooks(trx, ruleOf, publicUrl, told)
  await markTold(
    trx,
    told.map(({ id }) => id),
  )
  return mails
}

/** The people of a rule. All super admins if it names none, or only people who have left. */
function recipientsOf({ user_ids }: AlertRule, people: readonly Person[]): readonly Person[] {
  const superAdmins = people.filter(({ is_super_admin }) => is_super_admin)
  if (user_ids === null) return superAdmins
  const named = people.filter(({ id }) => user_ids.includes(id))
  return named.length === 0 && user_ids.length > 0 ? superAdmins : named
}

function idsByNews(news: readonly News[]): { opened: string[]; resolved: string[] } {
  const idsOf = (change: News['news']) => news.filter((one) => one.news === change).map(({ id }) => id)
  return { opened: idsOf('opened'), resolved: idsOf('resolved') }
}

/** Writes an audit entry for each webhook that rules name. As an event it is delivered to this webhook. */
async function tellWebhooks(
  trx: Transaction<Database>,
  ruleOf: RuleOf,
  publicUrl: string | undefined,
  told: readonly News[],
): Promise<void> {
  const entries = (await webhooksToTell(trx)).flatMap(({ id, name }) => {
    const own = told.filter(({ kind }) => ruleOf(kind).webhook_ids.includes(id))
    if (own.length === 0) return []
    const { opened, resolved } = idsByNews(own)
    return {
      action: ALERTS_TOLD_ACTION,
      target: { type: 'webhook' as const, id, name, tenant_id: null },
      reason: messageText(own, publicUrl),
      changes: addedFields({ opened: opened.length, resolved: resolved.length }),
    }
  })
  if (entries.length > 0) await writeAudits(trx, await databaseTime(trx), WORKER, entries)
}

/** The sentences of the first alerts with the links to their remedies, one a line, and the number of the others. */
function messageText(news: readonly News[], publicUrl: string | undefined): string {
  const lines = news.slice(0, NAMED_MAX).map((alert) => {
    const text = alert.news === 'opened' ? alert.text : `Resolved: ${alert.text}`
    return publicUrl === undefined ? text : `${text} ${publicUrl}${remedyOf(alert).path}`
  })
  const others = news.length - NAMED_MAX
  return [...lines, ...(others > 0 ? [`And ${others.toLocaleString('en')} more.`] : [])].join('\n')
}
