import { ALERT_KINDS, listOfKind, remedyOf } from '@switchboard/contract/signals/alert-kinds'
import type { Alert, AlertKind } from '@switchboard/contract/signals/alerts'
import type { Mail } from './mailer.ts'
import { type Brand, type MailSection, mailOf, timeText } from './mails.ts'

type Told = Pick<Alert, 'kind' | 'text' | 'target_id' | 'tenant_id' | 'opened_at' | 'resolved_at'>

const RULES = 'Super admins can change in the console who gets which alerts.'

/** Alerts of a kind that a mail names. The others are a number. */
const NAMED_MAX = 10
/** Kinds in the subject of a mail. */
const LABELS_MAX = 2

/** The mail about all alerts of one message: those that opened and those that are over. */
export function alertMail(
  brand: Brand,
  { id, opened, resolved }: { id: string; opened: readonly Told[]; resolved: readonly Told[] },
): Mail {
  const [first, ...others] = [...opened, ...resolved]
  const isSingle = first !== undefined && others.length === 0
  return { id, ...(isSingle ? single(brand, first, resolved.length === 1) : digest(brand, opened, resolved)) }
}

function single(brand: Brand, alert: Told, isResolved: boolean): Mail {
  const { kind, text, opened_at, resolved_at } = alert
  const { label, advice } = ALERT_KINDS[kind]
  const { label: linkLabel, path } = remedyOf(alert)
  const facts: [string, string][] = [['Noticed', timeText(opened_at)]]
  if (isResolved && resolved_at !== null) facts.push(['Resolved', timeText(resolved_at)])
  return mailOf(brand, {
    subject: `${brand.brandName}: ${isResolved ? `Resolved: ${label}` : label}`,
    before: isResolved ? [`Resolved: ${text}`] : [text, advice],
    facts,
    button: { label: linkLabel, url: `${brand.consoleUrl}${path}` },
    after: [RULES],
  })
}

function digest(brand: Brand, opened: readonly Told[], resolved: readonly Told[]): Mail {
  return mailOf(brand, {
    subject: `${brand.brandName}: ${subjectOf(opened, resolved)}`,
    before: [],
    sections: [
      ...byKind(opened).map(([kind, alerts]) => ({
        ...sectionOf(brand, ALERT_KINDS[kind].label, kind, alerts),
        advice: ALERT_KINDS[kind].advice,
      })),
      ...byKind(resolved).map(([kind, alerts]) =>
        sectionOf(brand, `Resolved: ${ALERT_KINDS[kind].label}`, kind, alerts),
      ),
    ],
    after: [RULES],
  })
}

/** "3 alerts, 1 resolved: Leaked API key, Task fails" */
function subjectOf(opened: readonly Told[], resolved: readonly Told[]): string {
  const count = (alerts: readonly Told[]) => alerts.length.toLocaleString('en')
  if (opened.length === 0) return `${count(resolved)} alerts resolved`
  const alerts = `${count(opened)} ${opened.length === 1 ? 'alert' : 'alerts'}`
  const labels = byKind(opened).map(([kind]) => ALERT_KINDS[kind].label)
  const names = labels.length > LABELS_MAX ? [...labels.slice(0, LABELS_MAX), '…'] : labels
  return `${alerts}${resolved.length === 0 ? '' : `, ${count(resolved)} resolved`}: ${names.join(', ')}`
}

/** Alerts by kind. Urgent kinds come first. */
function byKind(alerts: readonly Told[]): [AlertKind, Told[]][] {
  const groups = new Map<AlertKind, Told[]>()
  for (const alert of alerts) groups.set(alert.kind, [...(groups.get(alert.kind) ?? []), alert])
  const urgency = (kind: AlertKind) => Number(ALERT_KINDS[kind].is_urgent)
  return [...groups].toSorted(([one], [other]) => urgency(other) - urgency(one))
}

function sectionOf({ consoleUrl }: Brand, heading: string, kind: AlertKind, alerts: readonly Told[]): MailSection {
  const others = alerts.length - NAMED_MAX
  const items = alerts.slice(0, NAMED_MAX).map((alert) => {
    const { label, path } = remedyOf(alert)
    return { text: `${alert.text} (${timeText(alert.opened_at)})`, label, url: `${consoleUrl}${path}` }
  })
  if (others <= 0) return { heading, items }
  const more = {
    text: `And ${others.toLocaleString('en')} more.`,
    label: 'Open all',
    url: `${consoleUrl}${listOfKind(kind)}`,
  }
  return { heading: `${heading} (${alerts.length.toLocaleString('en')})`, items: [...items, more] }
}
