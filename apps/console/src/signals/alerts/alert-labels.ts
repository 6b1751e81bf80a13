import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import type { AlertRule, AlertRules, AlertSettings } from '@switchboard/contract/signals/alert-rules'
import { ALERTS_LISTED, type AlertList } from '@switchboard/contract/signals/alerts'
import { counted, countText } from '#src/lib/format/count.ts'

/** From which number on a rule alerts: "50 refused calls". Null for a kind without a number. */
export function thresholdText({ kind, threshold }: Pick<AlertRule, 'kind' | 'threshold'>): string | null {
  const limits = ALERT_KINDS[kind].threshold
  return limits === undefined || threshold === null ? null : `${countText(threshold)} ${limits.unit}`
}

/** Whom a rule tells: "All super admins", "ada@example.com and 1 more, 2 webhooks". */
export function recipientsText(
  { user_ids, webhook_ids }: Pick<AlertRule, 'user_ids' | 'webhook_ids'>,
  { people, webhooks }: Pick<AlertRules, 'people' | 'webhooks'>,
): string {
  const count = webhooks.filter(({ id }) => webhook_ids.includes(id)).length
  const told = [peopleText(user_ids, people), count === 0 ? null : counted(count, 'webhook')]
  return told.filter((one) => one !== null).join(', ') || 'Nobody'
}

function peopleText(user_ids: AlertRule['user_ids'], people: AlertRules['people']): string | null {
  if (user_ids === null) return 'All super admins'
  const [first, ...others] = people.filter(({ id }) => user_ids.includes(id))
  if (first === undefined) return user_ids.length === 0 ? null : 'All super admins'
  return others.length === 0 ? first.email : `${first.email} and ${countText(others.length)} more`
}

/** What a full list of alerts leaves out. Null for a list of all. */
export function omittedText({ alerts, open }: { alerts: readonly unknown[]; open: AlertList['open'] }): string | null {
  if (alerts.length < ALERTS_LISTED) return null
  return open > ALERTS_LISTED
    ? `The newest ${ALERTS_LISTED} of ${countText(open)} open alerts. Older ones show as these are resolved.`
    : `The newest ${ALERTS_LISTED} alerts. Older ones are not shown.`
}

/** When messages are sent, as a sentence. */
export function settingsText({ quiet_hours, digest_minutes }: AlertSettings): string {
  const digest = `One message every ${digest_minutes === 1 ? 'minute' : counted(digest_minutes, 'minute')} at most.`
  if (quiet_hours === null) return `${digest} No quiet hours.`
  const { from, to, time_zone } = quiet_hours
  return `${digest} Quiet hours are from ${from} to ${to}, ${time_zone}.`
}
