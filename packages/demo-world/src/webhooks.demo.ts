import { createWebhook, updateWebhook, type WebhookFormat, webhookName } from '@switchboard/contract/signals/webhooks'
import { type EventType, eventOf } from '@switchboard/contract/signals/events'
import { DELIVERY_HOURS, type DeliveryAttempt, testWebhook } from '@switchboard/contract/signals/webhook-deliveries'
import { messageOf, type SentEvent, TEST_EVENT_TYPE } from '@switchboard/contract/signals/webhook-messages'
import { addedFields } from '@switchboard/database/audit/audit.queries'
import type { LogEntry } from '@switchboard/database/audit/read-log'
import type { Database } from '@switchboard/database/tables'
import type { Insertable } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS, workingMoment } from './calendar.ts'
import { type Chance, chanceOf } from './chance.ts'
import { actorAt, doneBy } from './staff.ts'
import type { World } from './world.ts'

/** The days before now on which a webhook was created and switched off. All are off, so that a demo sends nothing. */
type Plan = {
  description: string
  format: WebhookFormat
  url: string
  event_types: EventType[]
  created: number
  off: number
}

const PLANS: readonly Plan[] = [
  {
    description: 'Billing',
    format: 'standard',
    url: 'https://billing.example.com/switchboard',
    event_types: ['tenant.created', 'tenant.updated', 'tenant.suspended', 'tenant.reactivated'],
    created: 64,
    off: 1,
  },
  {
    description: 'Key inventory',
    format: 'standard',
    url: 'https://inventory.example.org/hooks/keys',
    event_types: ['api_key.created', 'api_key.updated', 'api_key.deactivated', 'api_key.rotated', 'api_key.deleted'],
    created: 47,
    off: 2,
  },
  {
    description: 'Channel of operations',
    format: 'slack',
    url: 'https://chat.example.com',
    event_types: ['alert.opened', 'alert.resolved'],
    created: 20,
    off: 19,
  },
]

/** Deliveries are deleted after 30 days. */
const KEPT_DAYS = 29
/** Like the secret in the documentation of Standard Webhooks. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const MINUTES_TO_TEST = 3
/** The newest events of a webhook, whose deliveries had failed when it was switched off. */
const RETRYING = 4

type Fate = { state: 'delivered' | 'retrying' | 'failed'; failures: number; status: number }
type PlannedWebhook = Plan & { id: string; createdAt: number; offAt: number }

/** Plans the webhooks, and adds their audit entries to the world. */
export function addWebhooks(world: World): PlannedWebhook[] {
  return PLANS.map((plan) => {
    const chance = chanceOf('webhook', plan.description)
    const id = chance.uuid()
    const [createdAt, offAt] = [
      workingMoment(world.now, plan.created, chance),
      workingMoment(world.now, plan.off, chance),
    ]
    const { description, format, url, event_types } = plan
    const target = { type: 'webhook' as const, id, name: webhookName(plan), tenant_id: null }
    const by = (at: number) => actorAt(world.staff, at, chance)
    const testAt = createdAt + MINUTES_TO_TEST * MINUTE_MS
    world.events.push(
      doneBy(by(createdAt), createdAt, createWebhook, {
        target,
        changes: addedFields({ format, url, description, event_types }),
      }),
      doneBy(by(testAt), testAt, testWebhook, { target }),
      doneBy(by(offAt), offAt, updateWebhook, { target, changes: { is_active: { before: true, after: false } } }),
    )
    return { ...plan, id, createdAt, offAt }
  })
}

type Rows = {
  webhooks: Insertable<Database['webhooks']>[]
  webhook_positions: Insertable<Database['webhook_positions']>[]
  webhook_deliveries: Insertable<Database['webhook_deliveries']>[]
}

/** The rows of the webhooks, with the deliveries of the sealed `entries` while they were on. */
export function webhookRows(webhooks: readonly PlannedWebhook[], entries: readonly LogEntry[], now: number): Rows {
  const rows: Rows = { webhooks: [], webhook_positions: [], webhook_deliveries: [] }
  for (const webhook of webhooks) {
    const deliveries = deliveriesOf(webhook, entries, now)
    rows.webhook_deliveries.push(...deliveries)
    const { id, format, url, description, event_types, createdAt, offAt } = webhook
    rows.webhooks.push({
      id,
      format,
      url,
      description,
      event_types,
      secret: Buffer.from(format === 'standard' ? SECRET : `${url}/services/demo`),
      is_active: false,
      failing_since: deliveries.find(({ state }) => state === 'retrying')?.began_at ?? null,
      last_delivered_at: deliveries.findLast(({ state }) => state === 'delivered')?.ended_at ?? null,
      created_at: new Date(createdAt),
      version: 2,
    })
    const read = entries.filter(({ at }) => Date.parse(at) <= offAt)
    rows.webhook_positions.push({ webhook_id: id, seq: read.at(-1)?.seq ?? 0 })
  }
  return rows
}

function deliveriesOf(webhook: PlannedWebhook, entries: readonly LogEntry[], now: number): Rows['webhook_deliveries'] {
  const { id, description, format, event_types, createdAt, offAt } = webhook
  const chance = chanceOf('deliveries', description)
  const since = Math.max(createdAt, now - KEPT_DAYS * DAY_MS)
  const events = entries.flatMap((entry) => {
    const [event, at] = [eventOf(entry), Date.parse(entry.at)]
    return event !== null && event_types.includes(event.type) && at >= since && at < offAt ? [event] : []
  })
  const test: SentEvent = {
    id: `evt_test_${chance.uuid()}`,
    type: TEST_EVENT_TYPE,
    at: new Date(createdAt + MINUTES_TO_TEST * MINUTE_MS).toISOString(),
    seq: null,
    actor: { id: null, name: null },
    target: { type: 'webhook', id, name: description },
    tenant_id: null,
    reason: null,
    changes: {},
  }
  const sent = Date.parse(test.at) >= since ? [test, ...events] : events
  return sent.map((event, n) => {
    // Deliveries about one record follow each other, so only the last one of a record may be late.
    const isLast = !sent.slice(n + 1).some(({ target }) => target.id === event.target.id)
    const isNewest = n >= sent.length - RETRYING
    const fate =
      isLast && event.seq !== null ? fateOf({ at: Date.parse(event.at), isNewest }, offAt, chance) : DELIVERED
    return {
      webhook_id: id,
      seq: event.seq,
      event_id: event.id,
      event_type: event.type,
      ...(event.seq !== null && event.target.id !== null && { record_id: event.target.id }),
      target_name: event.target.name,
      body: messageOf(format, event),
      at: new Date(event.at),
      ...resultOf(event, fate, chance),
    }
  })
}

const DELIVERED: Fate = { state: 'delivered', failures: 0, status: 200 }

function fateOf({ at, isNewest }: { at: number; isNewest: boolean }, offAt: number, chance: Chance): Fate {
  if (isNewest) return { state: 'retrying', failures: 2, status: 503 }
  // Everything has been tried for three days.
  if (at < offAt - (DELIVERY_HOURS + 1) * HOUR_MS && chance.is(0.06))
    return { state: 'failed', failures: Number.POSITIVE_INFINITY, status: 422 }
  return chance.is(0.12) ? { ...DELIVERED, failures: chance.integer(1, 3) } : DELIVERED
}

/** The attempts of a delivery, with the delays that a worker keeps. */
function resultOf({ at }: SentEvent, { state, failures, status }: Fate, chance: Chance) {
  const began = Date.parse(at) + chance.integer(400, 1_900)
  const end = began + DELIVERY_HOURS * HOUR_MS
  const history: DeliveryAttempt[] = []
  let [next, delay] = [began, 15_000]
  for (let n = 0; n < failures && next <= end; n += 1) {
    const failure = state === 'failed' ? status : 503
    history.push(attempt(next, failure, chance))
    next += delay * (1 + chance.fraction() / 4)
    delay = Math.min(delay * 4, 6 * HOUR_MS)
  }
  if (state === 'delivered') history.push(attempt(next, status, chance))
  const last = history.at(-1)
  if (last === undefined) throw new Error('A delivery has at least one attempt.')
  const { problem, duration_ms } = last
  const attempted_at = new Date(last.at)
  return {
    state,
    attempts: history.length,
    began_at: new Date(began),
    attempted_at,
    duration_ms,
    status: last.status,
    problem,
    answer: problem === null ? '{"received":true}' : '',
    ended_at: state === 'retrying' ? null : new Date(attempted_at.getTime() + duration_ms),
    history: JSON.stringify(history),
  }
}

function attempt(at: number, status: number, chance: Chance): DeliveryAttempt {
  const problem = status === 200 ? null : `The receiver answered with status ${status}.`
  return { at: new Date(at).toISOString(), duration_ms: chance.integer(38, 640), status, problem }
}
