import type { Database } from '@switchboard/database/tables'
import type { MailQueue } from '@switchboard/jobs/mail-queue'
import type { SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import type { WebhookQueue } from '@switchboard/jobs/webhook-queue'
import type { RunQueue } from '@switchboard/jobs/run-queue'
import type { Mailer } from '@switchboard/mail/mailer'
import type { PlacesClient } from '@switchboard/places/places.client'
import type { Log } from '@switchboard/server/process/log'
import type { Counts } from '@switchboard/server/process/metrics'
import type { Kysely } from 'kysely'
import type { WebhookClient } from '#src/signals/webhooks/webhook.client.ts'

/** Outcomes in the metrics. `retrying`: the next attempt is planned. */
export const COUNTED_RUNS = ['succeeded', 'failed', 'retrying', 'skipped'] as const
export type CountedRun = (typeof COUNTED_RUNS)[number]
export const COUNTED_MAILS = ['sent', 'failed', 'retrying'] as const
type CountedMail = (typeof COUNTED_MAILS)[number]
export const COUNTED_DELIVERIES = ['delivered', 'failed', 'retrying'] as const
type CountedDelivery = (typeof COUNTED_DELIVERIES)[number]

/** Dependencies of the jobs. The time is always the database's: one clock for all processes. */
export type Deps = {
  db: Kysely<Database>
  log: Log
  queue: Pick<RunQueue, 'enqueue' | 'hasJob'>
  places: Pick<PlacesClient, 'placeDetails'>
  mails: Pick<MailQueue, 'enqueue'>
  webhooks: Pick<WebhookQueue, 'enqueue'>
  webhookClient: Pick<WebhookClient, 'send'>
  /** Keys of the stored secrets of webhooks. */
  secretKeys: SecretKeys
  /** Null without `SMTP_URL`. */
  mailer: Mailer | null
  /** Origin of the console in messages to webhooks. Undefined without `PUBLIC_URL`. */
  publicUrl: string | undefined
  randomBytes: (size: number) => Buffer
  /** Whether the text of reviews is stored; otherwise reviews are only counted. */
  areReviewsKept: boolean
  /** Delay of the first retry in milliseconds; each later delay is four times as long. */
  firstRetryMs: number
  /** From 0 to 1, for the jitter. */
  random: () => number
  /** Counts ended runs, and attempts to send a mail or a webhook, by outcome, for the metrics. */
  runCounts: Counts<CountedRun>
  mailCounts: Counts<CountedMail>
  webhookCounts: Counts<CountedDelivery>
}
