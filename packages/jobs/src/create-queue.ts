import type { PgBoss, Queue } from 'pg-boss'

/** Time limit of a job: one call to another service (15 s) and slow statements. */
export const EXPIRE_SECONDS = 60
/** Fifteen seconds after the last heartbeat of a worker, its jobs go to other workers. A worker sends one every five seconds. */
const HEARTBEAT_SECONDS = 15
/** The first delay after a lost worker or a fault of the database, doubled each time, and the longest one. */
const LOST_DELAY_SECONDS = 2
const LOST_DELAY_MAX_SECONDS = 60
/** Retries of a job that plans the next attempt itself: practically without end. */
export const LOST_MAX = 1_000
/** pg-boss deletes a job that no worker has taken for this long; what it is for would then never happen. */
const RETENTION_SECONDS = 366 * 86_400
/** Everything in a completed job is in the row of its run, mail or delivery. */
const COMPLETED_RETENTION_SECONDS = 3_600

const DEFAULTS = {
  expireInSeconds: EXPIRE_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryDelay: LOST_DELAY_SECONDS,
  retryDelayMax: LOST_DELAY_MAX_SECONDS,
  retryBackoff: true,
  retentionSeconds: RETENTION_SECONDS,
  deleteAfterSeconds: COMPLETED_RETENTION_SECONDS,
}

/** Creates a queue, or changes the options of one that an earlier release has created. */
export async function createQueue(
  boss: PgBoss,
  name: string,
  options: Omit<Queue, 'name'> & { retryLimit: number },
): Promise<void> {
  const all = { ...DEFAULTS, ...options }
  await boss.createQueue(name, all)
  await boss.updateQueue(name, all)
}
