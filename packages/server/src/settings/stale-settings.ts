import { StartError } from '@switchboard/database/start/start-error'
import { z } from 'zod'

/** The rule of SERVE_STALE_SECONDS. */
export const staleSeconds = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 86400')
  .transform(Number)
  .refine((seconds) => seconds <= 86_400, 'must be a whole number from 0 to 86400')

/** How long keys known good are accepted without a database, and the file of their snapshot. Throws a StartError. */
export function staleKeysOf(data: { SERVE_STALE_SECONDS: number; SERVE_STALE_SNAPSHOT?: string | undefined }) {
  const { SERVE_STALE_SECONDS: seconds, SERVE_STALE_SNAPSHOT: file } = data
  if (seconds > 0) return { seconds, file }
  if (file !== undefined) throw new StartError('SERVE_STALE_SNAPSHOT needs SERVE_STALE_SECONDS above 0.')
  return null
}
