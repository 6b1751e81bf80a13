import * as z from 'zod/mini'

/** Google's status of a business. */
export const businessStatus = z.enum(['OPERATIONAL', 'CLOSED_TEMPORARILY', 'CLOSED_PERMANENTLY', 'FUTURE_OPENING'])
export type BusinessStatus = z.infer<typeof businessStatus>
