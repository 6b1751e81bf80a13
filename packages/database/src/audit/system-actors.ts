import { BACKUP_ACTOR, WORKER_ACTOR } from '@switchboard/contract/activity'
import type { AuditActor } from './audit.queries.ts'

/** Actor of what a worker does without a person. */
export const WORKER: AuditActor = { id: null, email: WORKER_ACTOR, address: null, request_id: null }
/** Actor of the entries about backups. */
export const BACKUP: AuditActor = { ...WORKER, email: BACKUP_ACTOR }
