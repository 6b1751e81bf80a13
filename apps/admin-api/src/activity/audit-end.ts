import { auditEnd } from '@switchboard/database/audit/audit-chain'
import type { Log } from '@switchboard/server/process/log'
import type { Deps } from '#src/deps.ts'

/** Interval between log entries. */
const EVERY_MS = 3_600_000

/**
 * Logs the end of the audit log now and once an hour, so that a copy exists outside the database. Returns a stop
 * function.
 */
export function logAuditEnd({ db, log }: Pick<Deps, 'db' | 'log'>, everyMs = EVERY_MS): () => Promise<void> {
  let writing = writeEnd(db, log)
  const timer = setInterval(() => {
    writing = writeEnd(db, log)
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await writing
  }
}

async function writeEnd(db: Deps['db'], log: Log): Promise<void> {
  try {
    const { seq, hash } = await auditEnd(db)
    log.info({ audit_end: `${seq}:${hash}` }, 'end of the audit log')
  } catch (error) {
    log.warn({ err: error }, 'the end of the audit log could not be read')
  }
}
