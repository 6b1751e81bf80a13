import type { EventType } from '@switchboard/contract/signals/events'
import type { DeliveryAttempt, DeliveryState } from '@switchboard/contract/signals/webhook-deliveries'
import type { WebhookDisabledReason, WebhookFormat } from '@switchboard/contract/signals/webhooks'
import type { Generated, JSONColumnType } from 'kysely'
import type { Moment } from './column-types.ts'

/** The tables of the signals that people and systems get, as in `tables.ts`. */
export interface SignalTables {
  webhooks: {
    id: Generated<string>
    format: WebhookFormat
    url: string
    description: Generated<string>
    event_types: Generated<EventType[]>
    secret: Buffer
    old_secret: Buffer | null
    old_secret_until: Moment | null
    is_active: Generated<boolean>
    disabled_reason: WebhookDisabledReason | null
    disabled_at: Moment | null
    failing_since: Moment | null
    last_delivered_at: Moment | null
    created_at: Moment
    version: Generated<number>
  }

  webhook_positions: {
    webhook_id: string
    seq: number
  }

  webhook_deliveries: {
    id: Generated<string>
    webhook_id: string
    seq: number | null
    event_id: string
    event_type: string
    record_id: string
    target_name: string | null
    body: string
    at: Moment
    state: Generated<DeliveryState>
    has_job: Generated<boolean>
    attempts: Generated<number>
    began_at: Moment | null
    next_attempt_at: Moment | null
    ended_at: Moment | null
    attempted_at: Moment | null
    duration_ms: number | null
    status: number | null
    problem: string | null
    answer: string | null
    history: JSONColumnType<DeliveryAttempt[], string | undefined>
  }
}
