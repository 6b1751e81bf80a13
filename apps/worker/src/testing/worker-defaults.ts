import type { Deps } from '#src/deps.ts'

/** Options of a worker of tests that sends no mails and no webhooks. */
export const WORKER_DEFAULTS: Pick<Deps, 'areReviewsKept' | 'mailer' | 'webhookClient' | 'secretKeys'> = {
  areReviewsKept: true,
  mailer: null,
  webhookClient: { send: async () => Promise.reject(new Error('This test has no webhooks.')) },
  secretKeys: { current: null, old: [] },
}
