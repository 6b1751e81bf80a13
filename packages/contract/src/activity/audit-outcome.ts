import * as z from 'zod/mini'

/** Whether the action was done or refused. */
export const auditOutcome = z.enum(['done', 'refused'])
export type AuditOutcome = z.infer<typeof auditOutcome>
