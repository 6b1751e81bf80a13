import type { Event } from './events.ts'
import type { WebhookFormat } from './webhooks.ts'

/** Type of the event that a test of a webhook sends. */
export const TEST_EVENT_TYPE = 'webhook.test'

/** An event, or the test of a webhook, which has no entry in the audit log. */
export type SentEvent = Omit<Event, 'type' | 'seq'> & { type: string; seq: number | null }

/** The body that tells a webhook of an event, as JSON. */
export function messageOf(format: WebhookFormat, event: SentEvent): string {
  return JSON.stringify(MESSAGES[format](event))
}

const MESSAGES = {
  standard: (event) => event,
  slack: slackMessage,
  teams: teamsMessage,
} satisfies Record<WebhookFormat, (event: SentEvent) => object>

const ALERTS = new Set(['alert.opened', 'alert.resolved', 'alert.notified'])

/** What happened, and who did it when. */
function linesOf({ type, target, actor, reason, at }: SentEvent): { what: string; details: string } {
  const when = `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
  // The reason of an alert is its sentence.
  if (ALERTS.has(type) && reason !== null)
    return { what: type === 'alert.resolved' ? `Resolved: ${reason}` : reason, details: when }
  const what = target.name === null ? type : `${type}: ${target.name}`
  const details = [...(reason === null ? [] : [reason]), `${actor.name ?? 'Unknown'}, ${when}`].join('\n')
  return { what, details }
}

/** A message for an incoming webhook of Slack. `text` is for notifications, and for services without blocks. */
function slackMessage(event: SentEvent): object {
  const { what, details } = linesOf(event)
  return {
    text: slackText(`${what}\n${details}`),
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: beginning(what, 3_000), emoji: false } },
      { type: 'context', elements: [{ type: 'plain_text', text: beginning(details, 2_000), emoji: false }] },
    ],
  }
}

/** Slack takes no message with half a character, such as one half of an emoji. */
function beginning(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

/** Slack reads these three characters as markup: mentions and links. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A message with an Adaptive Card for a workflow of Microsoft Teams. Text runs have no markup. */
function teamsMessage(event: SentEvent): object {
  const { what, details } = linesOf(event)
  const block = (text: string, look: object) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...look }],
  })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(what, { weight: 'Bolder' }), block(details, { isSubtle: true })],
        },
      },
    ],
  }
}
