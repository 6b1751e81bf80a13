import type { AuditTargetType } from '@switchboard/contract/activity'
import type { MailState } from '@switchboard/contract/mail'
import type { AlertKind } from '@switchboard/contract/signals/alerts'
import type { EventType } from '@switchboard/contract/signals/events'
import type { DeliveryAttempt, DeliveryState } from '@switchboard/contract/signals/webhook-deliveries'
import type { WebhookDisabledReason, WebhookFormat } from '@switchboard/contract/signals/webhooks'
import type { Generated, JSONColumnType } from 'kysely'
import type { GeneratedMoment, Moment, ReadOnly } from './column-types.ts'

/** The tables of the signals that people and systems get, as in `tables.ts`. */
export interface SignalTables {
  alert_mails: {
    id: Generated<string>
    mail_to: string
    opened: string[]
    resolved: string[]
    created_at: GeneratedMoment
    mail_state: Generated<MailState>
    mail_attempts: Generated<number>
    attempted_at: Moment | null
    mail_problem: string | null
  }

  alert_reader: {
    is_only: Generated<boolean>
    seq: number
    evaluated_at: Moment | null
    told_at: Moment | null
  }

  alert_reads: {
    user_id: string
    alert_id: string
  }

  alert_rules: {
    kind: AlertKind
    is_on: boolean
    is_urgent: boolean
    threshold: number | null
    user_ids: string[] | null
    webhook_ids: Generated<string[]>
  }

  alert_settings: {
    is_only: Generated<boolean>
    quiet_from: string | null
    quiet_to: string | null
    quiet_zone: string | null
    digest_minutes: number
  }

  alerts: {
    id: Generated<string>
    seq: ReadOnly<number>
    kind: AlertKind
    cause: string
    text: string
    target_type: AuditTargetType | null
    target_id: string | null
    target_name: string | null
    tenant_id: string | null
    opened_at: Moment
    resolved_at: Moment | null
    news: 'opened' | 'resolved' | null
  }

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
    record_id: Generated<string>
    target_name: string | null
    body: string
    at: Moment
    state: Generated<DeliveryState>
    job_id: string | null
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
