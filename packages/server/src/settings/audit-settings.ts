import { StartError } from '@switchboard/database/start/start-error'
import { z } from 'zod'

/** The rule of AUDIT_RETENTION. */
export const months = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be a number of months from 1 to 999')
  .transform(Number)

/** How long rows stay in the audit log, and the folder for older months. Null keeps all rows. Throws a StartError. */
export function auditRetentionOf(data: { AUDIT_RETENTION?: number | undefined; AUDIT_ARCHIVE?: string | undefined }) {
  if (data.AUDIT_RETENTION === undefined) return null
  if (data.AUDIT_ARCHIVE === undefined) throw new StartError('AUDIT_RETENTION needs AUDIT_ARCHIVE.')
  return { months: data.AUDIT_RETENTION, folder: data.AUDIT_ARCHIVE }
}
