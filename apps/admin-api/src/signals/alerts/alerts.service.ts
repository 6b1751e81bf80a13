import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import {
  type AlertRule,
  type AlertRules,
  type AlertSettings,
  thresholdRefused,
  updateAlertRule as ruleUpdate,
  type UpdateAlertRuleBody,
  updateAlertSettings as settingsUpdate,
} from '@switchboard/contract/signals/alert-rules'
import { type AlertKind, alertKind, type AlertList } from '@switchboard/contract/signals/alerts'
import { RESOLVED_KINDS } from '@switchboard/database/alerts/alert-figures.queries'
import { alertRules, peopleToTell, webhooksToTell } from '@switchboard/database/alerts/alert-rules.queries'
import { changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { invalidField } from '@switchboard/server/http/errors'
import type { Actor, SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import * as queries from './alerts.queries.ts'

/** The newest alerts, and how many of all the actor has not read. */
export async function listAlerts({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<AlertList> {
  return {
    ...(await queries.countAlerts(db, actor.id, RESOLVED_KINDS)),
    alerts: await queries.newestAlerts(db, actor.id, RESOLVED_KINDS),
  }
}

/** Marks alerts as read by the actor. Without ids all of them. */
export async function readAlerts(
  { db }: Pick<Deps, 'db'>,
  actor: SignedInActor,
  ids: string[] | undefined,
): Promise<void> {
  await queries.insertReads(db, actor.id, ids ?? null)
}

/** The rules of all kinds, when messages are sent, and the people who can be told. */
export async function listAlertRules({ db, mailer }: Pick<Deps, 'db' | 'mailer'>): Promise<AlertRules> {
  return {
    rules: alertKind.options.map(await alertRules(db)),
    settings: await queries.alertSettings(db),
    is_mail_on: mailer !== null,
    people: await peopleToTell(db),
    webhooks: await webhooksToTell(db),
  }
}

/**
 * Changes the rule of a kind. Throws 422 for a threshold outside of its limits, and for people and webhooks that cannot be
 * told.
 */
export async function updateAlertRule(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  kind: AlertKind,
  body: UpdateAlertRuleBody,
): Promise<AlertRule> {
  checkThreshold(kind, body.threshold)
  return await inTransaction(db, async (trx) => {
    await queries.lockSettings(trx)
    const before = (await alertRules(trx))(kind)
    const people = await peopleToTell(trx)
    const added = (body.user_ids ?? []).filter((id) => before.user_ids?.includes(id) !== true)
    if (!added.every((id) => people.some((person) => person.id === id)))
      throw invalidField('user_ids', 'One of these people is not an active member of the team.')
    const webhooks = await webhooksToTell(trx)
    const addedWebhooks = (body.webhook_ids ?? []).filter((id) => !before.webhook_ids.includes(id))
    if (!addedWebhooks.every((id) => webhooks.some((webhook) => webhook.id === id)))
      throw invalidField('webhook_ids', 'One of these webhooks does not exist or is off.')
    const rule = changedRule(before, body)
    const changes = changedFields(before, rule)
    if (Object.keys(changes).length === 0) return before
    await queries.saveRule(trx, rule)
    await writeAudit(trx, now(), actor, {
      action: ruleUpdate.schema.operationId,
      changes: { kind: { before: kind, after: kind }, ...changes },
    })
    return rule
  })
}

function changedRule(before: AlertRule, body: UpdateAlertRuleBody): AlertRule {
  return {
    kind: before.kind,
    is_on: body.is_on ?? before.is_on,
    is_urgent: body.is_urgent ?? before.is_urgent,
    threshold: body.threshold ?? before.threshold,
    user_ids: body.user_ids === undefined ? before.user_ids : body.user_ids,
    webhook_ids: body.webhook_ids ?? before.webhook_ids,
  }
}

function checkThreshold(kind: AlertKind, threshold: number | undefined): void {
  if (threshold === undefined) return
  const limits = ALERT_KINDS[kind].threshold
  if (limits === undefined) throw invalidField('threshold', 'This kind has no number.')
  if (threshold < limits.min || threshold > limits.max) throw invalidField('threshold', thresholdRefused(limits))
}

/** Changes the quiet hours and the time between two messages. */
export async function updateAlertSettings(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  settings: AlertSettings,
): Promise<AlertSettings> {
  return await inTransaction(db, async (trx) => {
    const changes = changedFields(await queries.lockSettings(trx), settings)
    if (Object.keys(changes).length === 0) return settings
    await queries.saveSettings(trx, settings)
    await writeAudit(trx, now(), actor, { action: settingsUpdate.schema.operationId, changes })
    return settings
  })
}
