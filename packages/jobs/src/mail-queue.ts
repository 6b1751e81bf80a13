import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import type { Transaction } from 'kysely'
import { fromKysely, type JobResult, type PgBoss } from 'pg-boss'
import { z } from 'zod'

const MAILS = 'send-mail'

/** Fifteen seconds after the last heartbeat of a worker, its jobs go to other workers. */
const HEARTBEAT_SECONDS = 15
/** Longer than an attempt to send. */
const EXPIRE_SECONDS = 60
/** Retries after lost workers and faults of the database. The job itself plans the retries of a failed mail. */
const LOST_MAX = 1_000
const LOST_DELAY_SECONDS = 2
const LOST_DELAY_MAX_SECONDS = 60
const COMPLETED_RETENTION_SECONDS = 3_600
/** Mails sent at once by a worker. */
const BATCH = 3

const sendLinkPayload = z.object({ link_id: z.uuid() })
export type SendLinkPayload = z.infer<typeof sendLinkPayload>
const sendNewSignInPayload = z.object({ new_sign_in_id: z.uuid() })
export type SendNewSignInPayload = z.infer<typeof sendNewSignInPayload>
const sendAccountNoticePayload = z.object({ account_notice_id: z.uuid() })
export type SendAccountNoticePayload = z.infer<typeof sendAccountNoticePayload>
const sendAlertMailPayload = z.object({ alert_mail_id: z.uuid() })
export type SendAlertMailPayload = z.infer<typeof sendAlertMailPayload>
const mailPayload = z.union([sendLinkPayload, sendNewSignInPayload, sendAccountNoticePayload, sendAlertMailPayload])
export type MailPayload = z.infer<typeof mailPayload>

/**
 * The queue of the mails. A job has the id of a link, of a new sign-in, of a notice about a changed account, or of a mail
 * about alerts. The token of a link is made when the mail is sent.
 */
export type MailQueue = {
  /** Adds a job in the caller's transaction. */
  enqueue: (trx: Transaction<Database>, job: MailPayload & { delayMs?: number }) => Promise<void>
  /** Starts to take jobs. */
  work: (send: (payload: MailPayload) => Promise<void>) => Promise<void>
}

/** Opens the queue of the mails on the connections of the job queue. */
export async function openMailQueue(boss: PgBoss, log: Log): Promise<MailQueue> {
  const options = {
    expireInSeconds: EXPIRE_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: LOST_MAX,
    retryDelay: LOST_DELAY_SECONDS,
    retryDelayMax: LOST_DELAY_MAX_SECONDS,
    retryBackoff: true,
    deleteAfterSeconds: COMPLETED_RETENTION_SECONDS,
    notify: true,
  }
  await boss.createQueue(MAILS, options)
  await boss.updateQueue(MAILS, options)
  return {
    async enqueue(trx, { delayMs = 0, ...data }) {
      const job = { data, startAfter: Math.ceil(delayMs / 1_000) }
      await boss.insert(MAILS, [job], { db: fromKysely(trx), returnId: false })
    },
    async work(send) {
      const polling = {
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 5,
        batchSize: BATCH,
        burstWhenBatchFull: true,
        perJobResults: true as const,
      }
      await boss.work(MAILS, polling, (jobs) => Promise.all(jobs.map((job) => handle(job, send, log))))
    },
  }
}

async function handle(
  { id, data }: { id: string; data: unknown },
  send: (payload: MailPayload) => Promise<void>,
  log: Log,
): Promise<JobResult> {
  try {
    await send(mailPayload.parse(data))
    return { id, status: 'completed' }
  } catch (error) {
    log.error({ err: error, job: data }, 'a mail job failed')
    return { id, status: 'failed' }
  }
}
