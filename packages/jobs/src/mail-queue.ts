import type { Database } from '@switchboard/database/tables'
import type { Log } from '@switchboard/server/process/log'
import type { Transaction } from 'kysely'
import { fromKysely, type JobResult, type PgBoss } from 'pg-boss'
import { z } from 'zod'
import { createQueue, LOST_MAX } from './create-queue.ts'

const MAILS = 'send-mail'

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
  await createQueue(boss, MAILS, { retryLimit: LOST_MAX, notify: true })
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
